import Glibc
import PhoneCore

/// What a recording's file is called: when it began, by the clock on the wall, and which call it is of. Nothing that a far
/// end says gets into it.
package struct RecordingName: Equatable, Sendable {
    /// Years to seconds.
    package let parts: [Int]
    package let call: CallID

    package init(parts: [Int], call: CallID) { (self.parts, self.call) = (parts, call) }

    /// Now, in local time.
    init(of call: CallID) {
        var time = timespec()
        var local = unsafe tm()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        // A time that the C library cannot write is all zeros.
        _ = unsafe localtime_r(&time.tv_sec, &local)
        let (year, month, day) = unsafe (local.tm_year, local.tm_mon, local.tm_mday)
        let (hour, minute, second) = unsafe (local.tm_hour, local.tm_min, local.tm_sec)
        self.init(parts: [year + 1_900, month + 1, day, hour, minute, second].map(Int.init), call: call)
    }

    /// `20261122-010203-in-1.7.opus`
    /// - Parameter attempt: From 1; a second file of this name gets another one.
    package func text(suffix: String, attempt: Int) -> String {
        let digits = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let time = digits.prefix(3).joined() + "-" + digits.dropFirst(3).joined()
        return "\(time)-\(call)" + (attempt > 1 ? "-\(attempt)" : "") + "." + suffix
    }
}
