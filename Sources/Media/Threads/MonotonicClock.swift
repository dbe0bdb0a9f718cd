import Base
import Glibc

/// CLOCK_MONOTONIC, which every thread and every process of this machine shares.
enum MonotonicClock {
    static func now() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
