import Base

/// How long to wait before the server is tried again: ever longer, and never the same time for all telephones.
struct VertoBackoff: Equatable, Sendable {
    private var tries = 0

    mutating func reset() { tries = 0 }

    /// The server wants to be left alone: the next wait is one of the longest of the quick ones, or longer.
    mutating func penalise() { tries = max(tries, 5) }

    /// - Parameter floor: The first wait of failures that do not pass quickly.
    mutating func next(from floor: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
        let shift = min(tries, 5)
        let pause =
            tries < VertoTiming.quickTries
            ? max(floor, min(floor * (1 << shift), VertoTiming.longestPause)) : VertoTiming.slowPause
        tries = min(tries + 1, VertoTiming.quickTries)
        return Self.jittered(pause, using: &generator)
    }

    /// Between three and five quarters of it.
    static func jittered(_ pause: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
        .nanoseconds(pause.nanoseconds / 100 * Int64.random(in: 75...125, using: &generator))
    }
}
