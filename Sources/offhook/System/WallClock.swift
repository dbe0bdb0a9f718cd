import Base
import NIOCore
import PhoneCore
import Platform

/// Reports the local time of day: at once, and at the beginning of each minute. A change of the clock takes effect with
/// the next minute.
///
/// Confined to the control loop.
final class WallClock: Sendable {
    private let loop: any EventLoop
    private let tell: @Sendable (WeekTime) -> Void
    private let runs: NIOLoopBoundBox<Bool>

    init(loop: any EventLoop, tell: @escaping @Sendable (WeekTime) -> Void) {
        (self.loop, self.tell, runs) = (loop, tell, .makeBoxSendingValue(false, eventLoop: loop))
    }

    private static let second: Int64 = 1_000_000_000

    /// Starts it unless it runs. It runs until the loop ends.
    func start() {
        guard !runs.value else { return }
        runs.value = true
        repeatEachMinute()
    }

    private func repeatEachMinute() {
        var untilNext = 60 * Self.second
        if let local = Self.local() {
            tell(local.time)
            // A leap second is second 60 of its minute.
            untilNext = max(1, 60 - local.second) * Self.second - local.nanosecond
        }
        loop.scheduleTask(in: .nanoseconds(max(untilNext, Self.second / 1_000))) { self.repeatEachMinute() }
    }

    /// Nil for a time that the C library cannot represent.
    private static func local() -> (time: WeekTime, second: Int64, nanosecond: Int64)? {
        let now = RealTimeClock.now()
        guard let time = CalendarTime(now, in: .local) else { return nil }
        let week = WeekTime.Day(rawValue: (time.weekday + 6) % 7) ?? .monday
        return (WeekTime(week, minute: time.hour * 60 + time.minute), Int64(time.second), now % second)
    }
}

/// Converts instants to wall-clock times, using the present setting of the wall clock. So earlier events get right
/// times even if a board's clock was set late.
struct WallTimeConverter: Sendable {
    /// Nanoseconds from the monotonic clock to the wall clock.
    private let offset: Int64

    init() {
        offset = RealTimeClock.now() - MonotonicClock.now().nanoseconds
    }

    /// Converts an instant to microseconds since 1970 in UTC.
    func microseconds(of instant: Instant) -> Int64 { (instant.nanoseconds &+ offset) / 1_000 }
}

extension CalendarTime {
    /// The time as `2026-11-24 18:32:05`, in the machine's time zone.
    /// - Parameter unixMilliseconds: Since 1970, in UTC. A time outside the calendar gives a question mark.
    static func text(unixMilliseconds: Int64) -> String {
        let (nanoseconds, overflow) = unixMilliseconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow, let time = CalendarTime(nanoseconds, in: .local) else { return "?" }
        return "\(time.date) \(time.timeOfDay)"
    }
}
