/// How long a session waits for what.
public enum VertoTiming {
    /// The longest wait for a connection.
    public static let connectLimit = Duration.seconds(10)
    /// The longest wait for the answer to a request.
    public static let requestLimit = Duration.seconds(10)
    /// After it a hold that a lost connection has interrupted is not asked for again: whoever wanted it waits for half a
    /// minute, and the last question takes `requestLimit`.
    static let holdLimit = Duration.seconds(20)
    /// The longest wait for a call that the server gives back after a lost connection.
    public static let reattachLimit = Duration.seconds(60)
    /// The longest wait for an answered call that the server did not list after a login. A FreeSWITCH that was started anew
    /// looks each second for the phones whose calls it has.
    static let unlistedLimit = Duration.seconds(5)
    /// How long the server keeps a session, and is told of calls that ended while it could not be.
    public static let sessionLife = Duration.seconds(90)

    /// Between two connections, whatever happens.
    static let connectGap = Duration.seconds(1)
    /// The first wait after a failure; it doubles up to `longestPause`, and after `quickTries` it is `slowPause`.
    static let firstPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(30)
    static let quickTries = 10
    static let slowPause = Duration.seconds(300)
    /// After credentials were refused: a new credential takes about five seconds to be known everywhere.
    static let refusedPause = Duration.seconds(10)
    /// A connection that was good for so long has nothing to do with the failures before it.
    static let stableTime = Duration.seconds(60)

    /// Between two questions to the gateway, and how many there are.
    static let gatewayPause = Duration.seconds(3)
    static let gatewayTries = 5
    /// Before another gateway is tried, drawn from here.
    static let gatewayReconnect = Duration.seconds(2)...Duration.seconds(6)

    /// Silence after which the server is asked whether it is there: without a call, and with one.
    static let idleSilence = Duration.seconds(35)
    static let callSilence = Duration.seconds(20)
    /// While there is a call: the longest time in which nothing of ours was seen to arrive.
    static let confirmation = Duration.seconds(45)
    static let probeLimit = Duration.seconds(5)
}
