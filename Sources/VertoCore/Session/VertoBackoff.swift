import Base

/// The pause before the next attempt. It grows with each failure, and is random, so that telephones do not come all at
/// once.
struct VertoBackoff: Equatable, Sendable {
    private var tries = 0

    mutating func reset() { tries = 0 }

    /// Makes the next pause as long as after five failures, because the server has dropped the session.
    mutating func penalise() { tries = max(tries, 5) }

    /// - Parameter floor: The shortest first pause, which is longer for failures that do not pass quickly.
    mutating func next(from floor: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
        let shift = min(tries, 5)
        let pause =
            tries < VertoTiming.quickTries
            ? max(floor, min(floor * (1 << shift), VertoTiming.longestPause)) : VertoTiming.slowPause
        tries = min(tries + 1, VertoTiming.quickTries)
        return Self.jittered(pause, using: &generator)
    }

    /// A random time between three and five quarters of this.
    static func jittered(_ pause: Duration, using generator: inout some RandomNumberGenerator) -> Duration {
        .nanoseconds(pause.nanoseconds / 100 * Int64.random(in: 75...125, using: &generator))
    }
}
