import SIPCore

/// The addresses that a call may try: the dialled one, and those that far ends redirected it to (RFC 3261 §8.1.3.4).
///
/// Each address is tried once, so that two far ends that redirect to each other are called only once each.
struct TargetSet: Sendable {
    /// The most addresses besides the dialled one.
    static let limit = 5

    /// The dialled address, which is in the To of every attempt.
    let dialled: URI
    /// The address that is called now.
    private(set) var current: URI
    private var known: [URI]
    private var waiting: [(address: URI, preference: Double)] = []

    init(_ dialled: URI) {
        (self.dialled, current, known) = (dialled, dialled, [dialled])
    }

    /// Adds an address. The highest preference is tried first. Among equal ones, the first named wins (RFC 3261
    /// §20.10).
    mutating func add(_ address: URI, preference: Double) {
        // A person who dials `sips` asks for TLS on every hop (RFC 3261 §8.1.3.4, §26.2.2).
        let isSecured = dialled.sip?.scheme != .sips || address.sip?.scheme == .sips
        guard isSecured, known.count <= Self.limit, !known.contains(where: address.isEquivalent) else { return }
        known.append(address)
        let place = waiting.firstIndex { $0.preference < preference } ?? waiting.endIndex
        waiting.insert((address, preference), at: place)
    }

    /// Moves on to the next address. False if no address is left.
    mutating func advance() -> Bool {
        guard !waiting.isEmpty else { return false }
        current = waiting.removeFirst().address
        return true
    }
}
