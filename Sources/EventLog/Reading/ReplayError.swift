import PhoneCore

/// Why a replay ended before its file did.
public struct ReplayError: Error, Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        case empty
        case notAnEventLog
        /// The format has another version.
        case version(Int)
        /// The line is longer than `EventLogFormat.longestLine`.
        case tooLong
        /// The line is not an event; the text says why.
        case invalid(String)
        /// The time is before the previous event's, or out of range.
        case timeIsWrong
        /// A line follows the closing line of a file.
        case afterTheEnd
        /// The machine decides differently now.
        case mismatch(time: Duration, PhoneEvent, Difference)
    }

    /// The number of the line, from 1.
    public let line: Int
    public let reason: Reason

    init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

extension ReplayError: CustomStringConvertible {
    /// The error as text for people, without characters that control a terminal.
    public var description: String {
        switch reason {
        case .empty: "the file is empty"
        case .notAnEventLog: "line \(line): this is not an event log of a phone"
        case .version(let version):
            "line \(line): an event log of format \(version); this program replays format \(EventLogFormat.version)"
        case .tooLong: "line \(line): longer than \(EventLogFormat.longestLine) bytes"
        case .invalid(let why): "line \(line): \(clean(why))"
        case .timeIsWrong: "line \(line): its time is before the previous line's, or out of range"
        case .afterTheEnd: "line \(line): nothing may follow the line with the number of lost events"
        case .mismatch(let time, let event, let difference):
            clean(
                """
                line \(line): after \(time.words) (\(event.words)) effect \(difference.position) differs
                """)
                + "\n  recorded  \(clean(Self.words(difference.recorded)))"
                + "\n  now       \(clean(Self.words(difference.now)))"
        }
    }

    /// The effect as text and in full, because two effects may have the same text.
    private static func words(_ effect: PhoneEffect?) -> String {
        effect.map { "\($0.words): \($0)" } ?? "nothing"
    }
}
