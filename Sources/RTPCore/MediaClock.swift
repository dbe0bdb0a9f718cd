import Base

/// Converts between monotonic instants and RTP ticks of one clock rate. Exact to one tick over any uptime.
public struct MediaClock: Equatable, Sendable {
    /// Ticks a second: 48,000 for Opus, 8,000 for G.711 and, for historical reasons, G.722 (RFC 3551 §4.5.2).
    public let rate: Int

    public init(rate: Int) {
        precondition((1_000...192_000).contains(rate), "an RTP clock runs at 1 to 192 kHz")
        self.rate = rate
    }

    public func ticks(_ instant: Instant) -> Int64 { ticks(nanoseconds: instant.nanoseconds) }

    public func ticks(_ duration: Duration) -> Int64 { ticks(nanoseconds: duration.nanoseconds) }

    public func duration(ticks: Int64) -> Duration {
        .nanoseconds(ticks / Int64(rate) * 1_000_000_000 + ticks % Int64(rate) * 1_000_000_000 / Int64(rate))
    }

    public func milliseconds(ticks: Int64) -> Double { Double(ticks) * 1_000 / Double(rate) }

    /// Converts whole seconds separately, so that an uptime of years does not overflow.
    private func ticks(nanoseconds: Int64) -> Int64 {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * Int64(rate) + rest * Int64(rate) / 1_000_000_000
    }
}
