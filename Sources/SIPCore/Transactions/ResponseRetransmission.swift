import Base

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
