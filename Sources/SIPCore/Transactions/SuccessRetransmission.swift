import Base

/// The duty of a callee after its 2xx: resend it until ACK comes (RFC 3261 §13.3.1.4). On every transport, as a
/// proxy on the way may use an unreliable one.
public struct SuccessRetransmission: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        case nothing
        /// Give the same 2xx to the transaction layer again.
        case resend
        /// No ACK for 64·T1: say BYE.
        case unacknowledged
    }

    private var next: Retransmission?
    private let timeout: Instant
    private let timers: SIPTimers

    /// Made when the 2xx is sent for the first time.
    public init(timers: SIPTimers, at now: Instant) {
        self.timers = timers
        next = Retransmission(after: timers.t1, at: now)
        timeout = now + timers.timeout
    }

    public var deadline: Instant? { next.map { min($0.due, timeout) } }

    /// ACK came: nothing more is due.
    public mutating func acknowledge() { next = nil }

    public mutating func deadlineReached(at now: Instant) -> Outcome {
        guard let pending = next else { return .nothing }
        if timeout <= now {
            next = nil
            return .unacknowledged
        }
        guard pending.due <= now else { return .nothing }
        next = pending.doubled(upTo: timers.t2, at: now)
        return .resend
    }
}
