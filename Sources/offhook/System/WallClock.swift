import Glibc
import NIOCore
import PhoneCore

/// Tells what the clock on the wall says: at once, and at the beginning of each minute. A clock that is set meanwhile is
/// noticed with the next minute.
///
/// Lives on the control loop.
final class WallClock: Sendable {
    private let loop: any EventLoop
    private let tell: @Sendable (WeekTime) -> Void

    init(loop: any EventLoop, tell: @escaping @Sendable (WeekTime) -> Void) {
        (self.loop, self.tell) = (loop, tell)
    }

    /// It goes on until the loop ends.
    func start() {
        var time = unsafe timespec()
        var local = tm()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        guard unsafe localtime_r(&time.tv_sec, &local) != nil else { return }
        // For the C library the week begins on Sunday; and a second of a minute may be called 60.
        let day = WeekTime.Day(rawValue: (Int(local.tm_wday) + 6) % 7) ?? .monday
        tell(WeekTime(day, minute: Int(local.tm_hour) * 60 + Int(local.tm_min)))
        let untilNext = max(1, 60 - Int64(local.tm_sec)) * 1_000_000_000 - Int64(time.tv_nsec)
        loop.scheduleTask(in: .nanoseconds(max(untilNext, 1_000_000))) { self.start() }
    }
}
