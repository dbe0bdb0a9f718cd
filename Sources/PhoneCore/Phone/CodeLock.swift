import Base

/// Wrong codes lock all codes, whoever dials them, for a time that doubles with every third.
enum CodeLock {
    static let tries = 3
    /// Beyond so many none are counted: the time does not grow any more.
    static let mostCounted = 60
    private static let shortest = Duration.seconds(60)
    private static let longest = Duration.seconds(86_400)

    /// How long codes are locked after so many wrong ones. Nil: they are not.
    static func time(after wrong: Int) -> Duration? {
        let locks = wrong / tries
        guard locks > 0 else { return nil }
        return locks > 20 ? longest : min(longest, shortest * (1 << (locks - 1)))
    }
}
