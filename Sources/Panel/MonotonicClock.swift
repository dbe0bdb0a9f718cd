import Base
import Glibc

/// The clock that the kernel stamps edges with.
enum MonotonicClock {
    static func now() -> Instant {
        var time = timespec()
        let result = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        precondition(result == 0, "every Linux has a monotonic clock")
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Sleeps in the kernel; for the microseconds that a wire needs to settle.
    static func sleep(_ duration: Duration) {
        guard duration > .zero else { return }
        var end = timespec(.nanoseconds((now() + duration).nanoseconds))
        while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil) == EINTR {}
    }
}

extension timespec {
    init(_ duration: Duration) {
        let nanoseconds = max(0, duration.nanoseconds)
        self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}
