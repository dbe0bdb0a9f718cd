import Base

/// The requests that the server has not answered.
struct VertoRequests: Sendable {
    enum Purpose: Equatable, Sendable {
        case login, gatewayState
        /// `VertoLiveness` accepts any frame as the answer.
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
        /// Nobody waits for the answer, but it is recognised when it comes.
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
        /// Nil if nobody waits for the answer.
        let due: Instant?
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var deadline: Instant? { entries.lazy.compactMap(\.due).min() }

    func contains(where matches: (Purpose) -> Bool) -> Bool { entries.contains { matches($0.purpose) } }

    func first(where matches: (Purpose) -> Bool) -> Purpose? { entries.first { matches($0.purpose) }?.purpose }

    /// Stores a request. If too many of those without a waiting user are stored, the oldest of them is forgotten.
    mutating func add(_ id: String, _ purpose: Purpose, at now: Instant) {
        if purpose == .unwatched {
            let places = entries.indices.filter { entries[$0].purpose == .unwatched }
            if places.count >= VertoLimits.unwatchedRequests { entries.remove(at: places[0]) }
        }
        if purpose == .ping { entries.removeAll { $0.purpose == .ping } }
        let due = purpose == .unwatched || purpose == .ping ? nil : now + VertoTiming.requestLimit
        entries.append(Entry(id: id, purpose: purpose, due: due))
    }

    /// Removes the request that the answer with this id belongs to.
    mutating func take(_ id: String) -> Purpose? {
        guard let place = entries.firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: place).purpose
    }

    /// Removes a request whose answer is overdue. Call it until it returns nil.
    mutating func popExpired(at now: Instant) -> Purpose? {
        guard let place = entries.firstIndex(where: { $0.due.map { $0 <= now } ?? false }) else { return nil }
        return entries.remove(at: place).purpose
    }

    /// Stops waiting for these answers. They are still recognised when they come.
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
