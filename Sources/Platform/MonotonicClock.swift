import Base
import Glibc

/// CLOCK_MONOTONIC: the one clock of all threads, of the kernel's edge events, and of every process of this machine.
public enum MonotonicClock {
    public static func now() -> Instant {
        var time = timespec()
        let result = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        precondition(result == 0, "every Linux has a monotonic clock")
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Sleeps in the kernel. This is for the microseconds that a wire needs to settle.
    public static func sleep(_ duration: Duration) {
        guard duration > .zero else { return }
        let nanoseconds = (now() + duration).nanoseconds
        var end = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil) == EINTR {}
    }
}
