import Base
import PhoneCore

/// All inputs and effects of a process, for a replay.
struct ProcessLog: Sendable {
    struct Entry: Sendable {
        let at: Instant
        let event: PhoneEvent
        let effects: [PhoneEffect]
    }

    private(set) var entries: [Entry] = []

    mutating func add(_ event: PhoneEvent, at now: Instant, _ effects: [PhoneEffect]) {
        entries.append(Entry(at: now, event: event, effects: effects))
    }

    /// Feeds the events to a fresh machine.
    ///
    /// - Returns: the number of the first event with different effects, or nil.
    func replay(policy: PhonePolicy) -> Int? {
        var machine = PhoneMachine(policy: policy)
        return entries.indices.first { index in
            machine.handle(entries[index].event, at: entries[index].at) != entries[index].effects
        }
    }
}
