import Base

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

/// When a message is sent again, and the pause before that.
public struct Retransmission: Equatable, Sendable {
    public let due: Instant
    public let interval: Duration

    init(after interval: Duration, at now: Instant) { (due, self.interval) = (now + interval, interval) }

    /// The next retransmission, after twice the pause, up to a limit.
    func doubled(upTo limit: Duration? = nil, at now: Instant) -> Retransmission {
        let twice = interval * 2
        return Retransmission(after: limit.map { min($0, twice) } ?? twice, at: now)
    }
}

/// The retransmission of a response that the caller must acknowledge. The callee resends it until ACK or PRACK comes.
/// It does so on every transport, because a proxy on the path may use an unreliable one.
public struct ResponseRetransmission: Equatable, Sendable {
    public enum Duty: Equatable, Sendable {
        /// A 2xx until its ACK: the pauses grow up to T2 (RFC 3261 §13.3.1.4).
        case success
        /// A reliable provisional response until its PRACK: the pauses grow without end (RFC 3262 §3).
        case provisional
    }

    public enum Outcome: Equatable, Sendable {
        case nothing
        /// Give the same response to the transaction layer again.
        case resend
        /// No acknowledgement came for 64·T1. After a 2xx, a BYE is to be sent; after a provisional response, the
        /// INVITE is to be refused.
        case unacknowledged
    }

    private let duty: Duty
    private var next: Retransmission?
    private let timeout: Instant
    private let timers: SIPTimers

    /// Create it when the response is sent for the first time, because its timers run from then on.
    public init(_ duty: Duty = .success, timers: SIPTimers, at now: Instant) {
        (self.duty, self.timers) = (duty, timers)
        next = Retransmission(after: timers.t1, at: now)
        timeout = now + timers.timeout
    }

    public var deadline: Instant? { next.map { min($0.due, timeout) } }

    /// Stops the retransmission, because the response was acknowledged.
    public mutating func acknowledge() { next = nil }

    public mutating func deadlineReached(at now: Instant) -> Outcome {
        guard let pending = next else { return .nothing }
        if timeout <= now {
            next = nil
            return .unacknowledged
        }
        guard pending.due <= now else { return .nothing }
        next = pending.doubled(upTo: duty == .success ? timers.t2 : nil, at: now)
        return .resend
    }
}
