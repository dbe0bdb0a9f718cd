import PhoneCore
import Platform

/// What a recording's file is called: when it began, by the clock on the wall, and which call it is of. Nothing that a far
/// end says gets into it.
package struct RecordingName: Equatable, Sendable {
    /// Years to seconds.
    package let parts: [Int]
    package let call: CallID

    package init(parts: [Int], call: CallID) { (self.parts, self.call) = (parts, call) }

    /// Now, in local time.
    init(of call: CallID) {
        let now = CalendarTime(RealTimeClock.now(), in: .local)
        // A time that the C library cannot write has a name all the same.
        let parts = now.map { [$0.year, $0.month, $0.day, $0.hour, $0.minute, $0.second] }
        self.init(parts: parts ?? [1_970, 1, 1, 0, 0, 0], call: call)
    }

    /// `20261122-010203-in-1.7.opus`
    /// - Parameter attempt: From 1; a second file of this name gets another one.
    package func text(suffix: String, attempt: Int) -> String {
        let digits = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let time = digits.prefix(3).joined() + "-" + digits.dropFirst(3).joined()
        return "\(time)-\(call)" + (attempt > 1 ? "-\(attempt)" : "") + "." + suffix
    }
}
