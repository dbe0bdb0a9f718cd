import Base

/// The requests that the server has not answered.
struct VertoRequests: Sendable {
    enum Purpose: Equatable, Sendable {
        case login, gatewayState
        /// `VertoLiveness` waits for whatever comes first.
        case ping
        case invite(VertoCallID)
        case answer(VertoCallID)
        case hold(VertoCallID, Bool)
        case dtmf(VertoCallID)
        case updateMedia(VertoCallID)
        case transfer(VertoCallID)
        case attach(VertoCallID)
        /// Subscribes to the channels of watched users.
        case presence
        /// Nobody waits for the answer, but it is one when it comes.
        case unwatched

        var call: VertoCallID? {
            switch self {
            case .invite(let id), .answer(let id), .hold(let id, _), .dtmf(let id), .updateMedia(let id),
                .transfer(let id), .attach(let id):
                id
            case .login, .gatewayState, .ping, .presence, .unwatched: nil
            }
        }
    }

    private struct Entry: Sendable {
        let id: String
        let purpose: Purpose
        /// Nil for what nobody waits for.
        let due: Instant?
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var deadline: Instant? { entries.lazy.compactMap(\.due).min() }

    func contains(where matches: (Purpose) -> Bool) -> Bool { entries.contains { matches($0.purpose) } }

    func first(where matches: (Purpose) -> Bool) -> Purpose? { entries.first { matches($0.purpose) }?.purpose }

    /// Keeps a request. Where there are too many that nobody waits for, the oldest of those is forgotten.
    mutating func add(_ id: String, _ purpose: Purpose, at now: Instant) {
        if purpose == .unwatched {
            let places = entries.indices.filter { entries[$0].purpose == .unwatched }
            if places.count >= VertoLimits.unwatchedRequests { entries.remove(at: places[0]) }
        }
        if purpose == .ping { entries.removeAll { $0.purpose == .ping } }
        let due = purpose == .unwatched || purpose == .ping ? nil : now + VertoTiming.requestLimit
        entries.append(Entry(id: id, purpose: purpose, due: due))
    }

    /// What the answer with this id is to.
    mutating func take(_ id: String) -> Purpose? {
        guard let place = entries.firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: place).purpose
    }

    /// One that has waited for too long. Ask until it is nil.
    mutating func popExpired(at now: Instant) -> Purpose? {
        guard let place = entries.firstIndex(where: { $0.due.map { $0 <= now } ?? false }) else { return nil }
        return entries.remove(at: place).purpose
    }

    /// The answers may still come, but nobody waits for them.
    mutating func forget(where matches: (Purpose) -> Bool) {
        entries = entries.map { entry in
            matches(entry.purpose) ? Entry(id: entry.id, purpose: .unwatched, due: nil) : entry
        }
        let excess = entries.count { $0.purpose == .unwatched } - VertoLimits.unwatchedRequests
        for _ in 0..<max(0, excess) {
            guard let place = entries.firstIndex(where: { $0.purpose == .unwatched }) else { return }
            entries.remove(at: place)
        }
    }

    mutating func removeAll() { entries = [] }
}
