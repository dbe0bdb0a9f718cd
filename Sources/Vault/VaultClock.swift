import Base
import PhoneCore
import Platform

/// Reads both clocks at once, to store instants, which lose their meaning at a reboot.
public struct VaultClock: Sendable {
    public struct Reading: Equatable, Sendable {
        public let monotonic: Instant
        public let wall: WallTime

        public init(monotonic: Instant, wall: WallTime) {
            self.monotonic = monotonic
            self.wall = wall
        }

        /// The wall-clock time at `instant`, as accurate as the wall clock is now.
        public func wallTime(of instant: Instant) -> WallTime {
            let (milliseconds, rest) = (instant - monotonic).nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
            // Rounds down, and not towards now, so that an earlier instant never gets a later time.
            return WallTime(unixMilliseconds: wall.unixMilliseconds + milliseconds - (rest < 0 ? 1 : 0))
        }

        /// The instant at which the wall clock showed `time`; it is negative before this boot.
        ///
        /// A board without a clock battery may count from 1970 until it gets the time from the network. So a time in
        /// the future counts as now, and a time more than ten years ago as ten years ago.
        public func instant(of time: WallTime) -> Instant {
            let ageMaximum: Int64 = 10 * 366 * 86_400_000
            let (age, overflow) = wall.unixMilliseconds.subtractingReportingOverflow(time.unixMilliseconds)
            let sane = overflow ? ageMaximum : min(max(age, 0), ageMaximum)
            return monotonic - .milliseconds(sane)
        }
    }

    /// Identifies one boot; nil if the kernel does not provide it.
    let boot: String?
    let read: @Sendable () -> Reading

    public init(boot: String?, read: @escaping @Sendable () -> Reading) {
        self.boot = boot
        self.read = read
    }

    /// The kernel's clocks: CLOCK_MONOTONIC and CLOCK_REALTIME.
    public static func system() -> VaultClock {
        // Without /proc, only the wall clock's times are stored.
        let boot = try? PrivateFile.read("/proc/sys/kernel/random/boot_id", limit: 64)
        return VaultClock(boot: boot.map { String(decoding: $0, as: UTF8.self) }) {
            Reading(monotonic: MonotonicClock.now(), wall: WallTime(unixMilliseconds: RealTimeClock.now() / 1_000_000))
        }
    }
}
