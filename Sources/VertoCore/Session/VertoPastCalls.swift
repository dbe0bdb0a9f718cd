import Base

/// Calls that ended here although the server may not know it: the connection may have been lost with the BYE.
struct VertoPastCalls: Sendable {
    struct Entry: Sendable {
        let id: VertoCallID
        let cause: VertoCause
        /// Whether the BYE is still to be sent.
        var isOwed: Bool
        let until: Instant
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }

    func entry(of id: VertoCallID, at now: Instant) -> Entry? { entries.first { $0.id == id && $0.until > now } }

    /// Adds a call. Beyond the limit, the oldest one is forgotten.
    mutating func add(_ id: VertoCallID, _ cause: VertoCause, isOwed: Bool, at now: Instant) {
        entries.removeAll { $0.id == id || $0.until <= now }
        if entries.count >= VertoLimits.pastCalls { entries.removeFirst() }
        entries.append(Entry(id: id, cause: cause, isOwed: isOwed, until: now + VertoTiming.sessionLife))
    }

    /// Returns the calls whose BYE is still to be sent, and marks them as sent.
    mutating func settle(at now: Instant) -> [Entry] {
        entries.removeAll { $0.until <= now }
        let owed = entries.filter(\.isOwed)
        for index in entries.indices { entries[index].isOwed = false }
        return owed
    }
}
