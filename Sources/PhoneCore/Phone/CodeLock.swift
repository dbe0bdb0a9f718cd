import Base

/// Every third wrong code locks all codes, for all callers, for a time that doubles with each lock.
enum CodeLock {
    static let tries = 3
    /// The most wrong codes that are counted. Beyond this number the time does not grow any more.
    static let mostCounted = 60
    private static let shortest = Duration.seconds(60)
    private static let longest = Duration.seconds(86_400)

    /// How long codes are locked after this number of wrong ones. Nil: they are not locked.
    static func time(after wrong: Int) -> Duration? {
        let locks = wrong / tries
        guard locks > 0 else { return nil }
        return locks > 20 ? longest : min(longest, shortest * (1 << (locks - 1)))
    }
}
