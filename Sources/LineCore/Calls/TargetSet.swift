import SIPCore

/// Where a call may go: what was dialled, and where those who were asked sent it (RFC 3261 §8.1.3.4).
///
/// Each address is tried once, so that two who send us to each other are asked once each.
struct TargetSet: Sendable {
    /// Addresses besides the one that was dialled.
    static let limit = 5

    /// What was dialled, which the To of every attempt names.
    let dialled: URI
    /// What is called now.
    private(set) var current: URI
    private var known: [URI]
    private var waiting: [(address: URI, preference: Double)] = []

    init(_ dialled: URI) {
        (self.dialled, current, known) = (dialled, dialled, [dialled])
    }

    /// What is preferred is tried first, and of equals what was named first (RFC 3261 §20.10).
    mutating func add(_ address: URI, preference: Double) {
        // Who dialled `sips` asked for TLS all the way (RFC 3261 §8.1.3.4, §26.2.2).
        let isSecured = dialled.sip?.scheme != .sips || address.sip?.scheme == .sips
        guard isSecured, known.count <= Self.limit, !known.contains(where: address.isEquivalent) else { return }
        known.append(address)
        let place = waiting.firstIndex { $0.preference < preference } ?? waiting.endIndex
        waiting.insert((address, preference), at: place)
    }

    /// Turns to the next address. False: there is none.
    mutating func advance() -> Bool {
        guard !waiting.isEmpty else { return false }
        current = waiting.removeFirst().address
        return true
    }
}
