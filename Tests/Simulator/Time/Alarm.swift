import Base

/// The one agenda entry of a machine with a `deadline`. A deadline that moves leaves a stale entry behind, which does
/// nothing.
struct Alarm: Sendable {
    private var armed: Instant?

    /// - Returns: the time to wake the machine, if it is not in the agenda yet.
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

    /// Whether a due entry is the one that was armed last.
    mutating func rings(at instant: Instant) -> Bool {
        guard armed == instant else { return false }
        armed = nil
        return true
    }
}
