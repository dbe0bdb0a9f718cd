/// The time constants of RFC 3261 §17.1.1.1 and table 4, and the timers that derive from them.
public struct SIPTimers: Equatable, Sendable {
    /// The estimated round-trip time, and the time until the first retransmission.
    public var t1: Duration = .milliseconds(500)
    /// The longest pause between retransmissions of a non-INVITE request or an INVITE response.
    public var t2: Duration = .seconds(4)
    /// How long a message may live in the network.
    public var t4: Duration = .seconds(5)

    public init() {}

    /// Timers B, F, H, J, L and M: how long a transaction tries, or remains after a final response.
    public var timeout: Duration { t1 * 64 }
    /// Timer D: how long repeated failures are acknowledged.
    public var d: Duration { max(.seconds(32), timeout) }
    /// After this an INVITE without a response is answered with 100 (RFC 3261 §17.2.1).
    public var trying: Duration { .milliseconds(200) }
}
