import Base
import Glibc

/// The program's one clock: CLOCK_MONOTONIC, the same for every process of a machine.
enum MonotonicClock {
    static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
