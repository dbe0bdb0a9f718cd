import Glibc

/// How long the machine has slept since it was started. One of its clocks goes on meanwhile and is ahead of that of all
/// durations by so much (clock_gettime(2)).
public enum SleepClock {
    public static func slept() -> Duration { time(of: CLOCK_BOOTTIME) - time(of: CLOCK_MONOTONIC) }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        let result = unsafe clock_gettime(clock, &time)
        precondition(result == 0, "every Linux has these clocks")
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
