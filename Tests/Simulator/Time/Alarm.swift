import Base

/// The one entry in the agenda that a machine with a `deadline` has. A deadline that moves away leaves a stale entry
/// behind, which does nothing.
struct Alarm: Sendable {
    private var armed: Instant?

    /// - Returns: when to wake the machine, where that is not in the agenda yet.
    mutating func set(_ deadline: Instant?, now: Instant) -> Instant? {
        guard let deadline else {
            armed = nil
            return nil
        }
        let due = max(deadline, now)
        guard due != armed else { return nil }
        armed = due
        return due
    }

    /// Whether an entry that has come up is the one that was armed last.
    mutating func rings(at instant: Instant) -> Bool {
        guard armed == instant else { return false }
        armed = nil
        return true
    }
}
