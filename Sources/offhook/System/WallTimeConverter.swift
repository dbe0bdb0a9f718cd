import Base
import Platform

/// Converts instants to wall-clock times, by the wall clock as it is set now. So earlier events have the right times
/// even if a board's clock was set late.
struct WallTimeConverter: Sendable {
    /// Nanoseconds from the monotonic clock to the wall clock.
    private let offset: Int64

    init() {
        offset = RealTimeClock.now() - MonotonicClock.now().nanoseconds
    }

    /// Converts an instant to microseconds since 1970 in UTC.
    func microseconds(of instant: Instant) -> Int64 { (instant.nanoseconds &+ offset) / 1_000 }
}
