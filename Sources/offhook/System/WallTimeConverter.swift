import Base
import Platform

/// Converts instants to wall-clock times, using the present setting of the wall clock. So earlier events get right
/// times even if a board's clock was set late.
struct WallTimeConverter: Sendable {
    /// Nanoseconds from the monotonic clock to the wall clock.
    private let offset: Int64

    init() {
        offset = RealTimeClock.now() - MonotonicClock.now().nanoseconds
    }

    /// Converts an instant to microseconds since 1970 in UTC.
    func microseconds(of instant: Instant) -> Int64 { (instant.nanoseconds &+ offset) / 1_000 }
}
