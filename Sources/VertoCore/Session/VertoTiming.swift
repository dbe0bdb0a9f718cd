import Base

/// How long a session waits.
public enum VertoTiming {
    /// The longest wait for a connection.
    public static let connectLimit = Duration.seconds(10)
    /// The longest wait for the answer to a request.
    public static let requestLimit = Duration.seconds(10)
    /// How long a hold that a lost connection has interrupted may be requested again. A person waits for half a minute,
    /// and the last request takes `requestLimit`.
    static let holdLimit = Duration.seconds(20)
    /// The longest wait for a call that the server gives back after a lost connection.
    public static let reattachLimit = Duration.seconds(60)
    /// The longest wait for an answered call that the server did not list after a login. A restarted FreeSWITCH checks
    /// each second for the phones of its calls.
    static let unlistedLimit = Duration.seconds(5)
    /// How long the server keeps a session, and how long we remember calls that ended while it could not be reached.
    public static let sessionLife = Duration.seconds(90)

    /// The shortest time between two connections.
    static let connectGap = Duration.seconds(1)
    /// The first pause after a failure. It doubles up to `longestPause`, and after `quickTries` it is `slowPause`.
    static let firstPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(30)
    static let quickTries = 10
    static let slowPause = Duration.seconds(300)
    /// The pause after refused credentials. New ones take about five seconds to be known everywhere.
    static let refusedPause = Duration.seconds(10)
    /// After so long a connection, the failures before it no longer count.
    static let stableTime = Duration.seconds(60)

    /// The time between two queries to the gateway, and their number.
    static let gatewayPause = Duration.seconds(3)
    static let gatewayTries = 5
    /// The pause before another gateway is tried, drawn from this range.
    static let gatewayReconnect = Duration.seconds(2)...Duration.seconds(6)

    /// The silence after which we probe the server: without a call, and with one.
    static let idleSilence = Duration.seconds(35)
    static let callSilence = Duration.seconds(20)
    /// In a call, the longest time without a sign that our frames arrive.
    static let confirmation = Duration.seconds(45)
    static let probeLimit = Duration.seconds(5)
}

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
