import PhoneCore
import Platform

/// The name of a recording's file: the local time at which it began, and its call. It contains no text from a far end.
package struct RecordingName: Equatable, Sendable {
    /// Year, month, day, hour, minute and second.
    package let parts: [Int]
    package let call: CallID

    package init(parts: [Int], call: CallID) { (self.parts, self.call) = (parts, call) }

    /// The name of a recording that begins now, in local time.
    init(of call: CallID) {
        let now = CalendarTime(RealTimeClock.now(), in: .local)
        // If the C library cannot convert the time, the name has a fixed time.
        let parts = now.map { [$0.year, $0.month, $0.day, $0.hour, $0.minute, $0.second] }
        self.init(parts: parts ?? [1_970, 1, 1, 0, 0, 0], call: call)
    }

    /// `20261122-010203-in-1.7.opus`
    /// - Parameter attempt: From 1. From 2 on it becomes part of the name, so that a second file gets another name.
    package func text(suffix: String, attempt: Int) -> String {
        let digits = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let time = digits.prefix(3).joined() + "-" + digits.dropFirst(3).joined()
        return "\(time)-\(call)" + (attempt > 1 ? "-\(attempt)" : "") + "." + suffix
    }
}
