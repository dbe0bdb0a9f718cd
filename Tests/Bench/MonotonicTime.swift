import Base
import Glibc

/// The bench's clock: CLOCK_MONOTONIC, which the phones that it watches use too.
public enum MonotonicTime {
    public static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Sleeps the bench's thread until then, through signals.
    public static func sleep(_ duration: Duration) {
        let end = (now + max(.zero, duration)).nanoseconds
        var until = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
        while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nil) == EINTR {}
    }
}
