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

/// The kernel's clock of the time of day, CLOCK_REALTIME. It may be set at any time, so no duration is measured by it.
public enum RealTimeClock {
    /// Nanoseconds since 1970-01-01 00:00 UTC, leap seconds not counted. From any thread.
    public static func now() -> Int64 {
        var time = timespec()
        let result = unsafe clock_gettime(CLOCK_REALTIME, &time)
        precondition(result == 0, "every Linux has a clock")
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A point in time as people write it: date and time of day.
public struct CalendarTime: Equatable, Sendable {
    public enum Zone: Sendable {
        case utc
        /// The machine's time zone.
        case local
    }

    public let year: Int
    /// 1 to 12.
    public let month: Int
    public let day: Int
    public let hour: Int
    public let minute: Int
    /// 0 to 60: 60 is a leap second.
    public let second: Int
    /// 0 (Sunday) to 6.
    public let weekday: Int

    /// - Parameter time: Nanoseconds, as of `RealTimeClock`.
    /// - Returns: Nil for a time that the C library cannot write.
    public init?(_ time: Int64, in zone: Zone) {
        // Rounds down, also before 1970.
        var seconds = time_t(time >= 0 ? time / 1_000_000_000 : (time + 1) / 1_000_000_000 - 1)
        var parts = unsafe tm()
        let isWritten =
            switch zone {
            case .utc: unsafe gmtime_r(&seconds, &parts) != nil
            case .local: unsafe localtime_r(&seconds, &parts) != nil
            }
        guard isWritten else { return nil }
        (year, month, day) = unsafe (Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
        (hour, minute, second) = unsafe (Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
        weekday = unsafe Int(parts.tm_wday)
    }

    /// `2026-11-24`
    public var date: String { "\(year)-\(Self.twoDigits(month))-\(Self.twoDigits(day))" }

    /// `18:32:05`
    public var timeOfDay: String {
        "\(Self.twoDigits(hour)):\(Self.twoDigits(minute)):\(Self.twoDigits(second))"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
