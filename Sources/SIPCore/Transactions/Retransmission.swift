import Base

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
