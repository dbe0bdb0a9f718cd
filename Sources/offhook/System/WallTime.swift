import Base
import Platform

/// What o'clock an instant is, by the wall clock as it is set now: a board whose clock was set late has the right times for
/// what happened before, too.
struct WallTime: Sendable {
    /// Nanoseconds from the monotonic clock to the wall clock.
    private let offset: Int64

    init() {
        offset = RealTimeClock.now() - MonotonicClock.now().nanoseconds
    }

    /// Since 1970 in UTC.
    func microseconds(of instant: Instant) -> Int64 { (instant.nanoseconds &+ offset) / 1_000 }
}
