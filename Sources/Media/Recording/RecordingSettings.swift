import Base
import PhoneCore
import Platform

/// Where and how calls are recorded.
public struct RecordingSettings: Equatable, Sendable {
    public enum Format: String, CaseIterable, Sendable {
        /// Opus in Ogg (RFC 7845), some 20 MB an hour.
        case opus
        /// Uncompressed, 16 bits at 48 kHz: 691 MB an hour.
        case wav
    }

    /// The beep that announces the recording to all parties of the call.
    public struct Beep: Equatable, Sendable {
        /// The time from one beep to the next, 2 s to 5 min.
        public var period = Duration.seconds(15)
        /// The frequency in Hz, 300 to 3,400.
        public var pitch: UInt16 = 1_400
        public init() {}
    }

    /// The folder of the files. It is made if it does not exist.
    public var folder: String
    public var format = Format.opus
    /// Nil: no beep.
    public var beep: Beep? = Beep()
    /// 1 min to 6 h. In 6 h even the larger format does not reach 4 GiB.
    public var longest = Duration.seconds(7_200)

    public init(folder: String) { self.folder = folder }

    func check() {
        precondition(!folder.isEmpty, "a folder has a name")
        precondition(longest > .zero && longest <= .seconds(6 * 3_600), "a recording has at most six hours")
        precondition(
            beep.map { $0.period >= .seconds(2) && (300...3_400).contains($0.pitch) } ?? true,
            "a beep has a period of at least 2 s and a pitch of 300 to 3,400 Hz")
    }
}

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

/// Encrypts recordings, so that a stolen disk reveals none. The owner of the key makes it.
public struct RecordingSeal: Sendable {
    /// The seal of one file.
    public struct Stream: Sendable {
        /// The bytes at the beginning of the file.
        let opening: [UInt8]
        /// Encrypts a piece as a chunk. Each chunk has its own number, from 0; no chunk follows the last one.
        let seal: @Sendable (_ piece: [UInt8], _ number: Int, _ isLast: Bool) -> [UInt8]

        public init(
            opening: [UInt8], seal: @escaping @Sendable (_ piece: [UInt8], _ number: Int, _ isLast: Bool) -> [UInt8]
        ) {
            (self.opening, self.seal) = (opening, seal)
        }
    }

    /// The suffix of sealed files' names, after the format's suffix.
    let suffix: String
    let begin: @Sendable () -> Stream

    public init(suffix: String, begin: @escaping @Sendable () -> Stream) {
        (self.suffix, self.begin) = (suffix, begin)
    }
}
