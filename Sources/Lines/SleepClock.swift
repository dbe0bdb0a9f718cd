import Glibc

/// Measures how long the machine has slept since it was started. CLOCK_BOOTTIME counts that time, and CLOCK_MONOTONIC
/// does not (clock_gettime(2)).
public enum SleepClock {
    public static func slept() -> Duration { time(of: CLOCK_BOOTTIME) - time(of: CLOCK_MONOTONIC) }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        let result = unsafe clock_gettime(clock, &time)
        precondition(result == 0, "Linux always has these clocks")
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
