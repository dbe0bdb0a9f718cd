import Base
import PhoneCore

/// Feeds an event log to the machine in its header, and compares the machine's effects with the recorded ones.
///
/// It reads a stream of any length and keeps one line of it in memory. Owned by one thread.
public struct Replay {
    public enum Step: Sendable {
        case began(EventLogHeader)
        case happened(Moment)
        /// This many events are missing. A complete file contains this at most once, at its end.
        case lost(Int)
    }

    /// One event whose replay gave the recorded effects.
    public struct Moment: Sendable {
        /// The time since the first event.
        public let time: Duration
        public let event: PhoneEvent
        public let effects: [PhoneEffect]
        /// The calls after the event; nil if nothing about them has changed.
        public let calls: [CallSummary]?
    }

    public struct Verdict: Equatable, Sendable {
        public var events = 0
        public var effects = 0
        public var lost = 0
        /// Bytes of an unfinished last line; it was not replayed.
        public var cutOff = 0
    }

    private struct Course {
        var machine: PhoneMachine
        var calls: [CallSummary]
        var first: Instant?
        var last: Instant
    }

    private enum State {
        case empty
        case running(Course)
        case closed
    }

    private var state = State.empty
    private var cutter = LineCutter(limit: EventLogFormat.longestLine)
    private let coder = LineCoder()
    private var line = 0
    private var verdict = Verdict()

    public init() {}

    /// Replays the lines that these bytes complete. `tell` receives each step before the next one is read.
    public mutating func take(_ bytes: [UInt8], tell: (Step) -> Void) throws(ReplayError) {
        cutter.push(bytes)
        while true {
            switch cutter.next() {
            case .line(let text):
                line += 1
                tell(try step(text))
            case .tooLong: throw ReplayError(line: line + 1, .tooLong)
            case .needsMore: return
            }
        }
    }

    /// Ends the replay at the end of the file.
    public func finish() throws(ReplayError) -> Verdict {
        if case .empty = state { throw ReplayError(line: 1, cutter.remainder == 0 ? .empty : .notAnEventLog) }
        var verdict = verdict
        verdict.cutOff = cutter.remainder
        return verdict
    }

    private mutating func step(_ text: [UInt8]) throws(ReplayError) -> Step {
        switch state {
        case .empty:
            let header = try header(text)
            let course = Course(
                machine: header.machine, calls: header.machine.snapshot.calls, last: Instant(nanoseconds: 0))
            state = .running(course)
            return .began(header)
        case .running(var course):
            switch try decode(EventLogLine.self, text) {
            case .lost(let count):
                guard count > 0 else { throw ReplayError(line: line, .invalid("lost: not above 0")) }
                verdict.lost = count
                state = .closed
                return .lost(count)
            case .event(let recorded):
                let moment = try replay(recorded, in: &course)
                state = .running(course)
                return .happened(moment)
            }
        case .closed: throw ReplayError(line: line, .afterTheEnd)
        }
    }

    private mutating func replay(_ recorded: LoggedEvent, in course: inout Course) throws(ReplayError) -> Moment {
        guard recorded.at >= course.last, recorded.at.nanoseconds <= EventLogFormat.latest else {
            throw ReplayError(line: line, .timeIsWrong)
        }
        let first = course.first ?? recorded.at
        (course.first, course.last) = (first, recorded.at)
        let effects = course.machine.handle(recorded.event, at: recorded.at)
        let time = recorded.at - first
        if let difference = Difference(recorded: recorded.effects, now: effects) {
            throw ReplayError(line: line, .mismatch(time: time, recorded.event, difference))
        }
        verdict.events += 1
        verdict.effects += effects.count
        let calls = course.machine.snapshot.calls
        defer { course.calls = calls }
        return Moment(
            time: time, event: recorded.event, effects: effects, calls: calls == course.calls ? nil : calls)
    }

    /// The title is read first and alone, because the rest has a defined meaning only in the right version.
    private func header(_ text: [UInt8]) throws(ReplayError) -> EventLogHeader {
        struct Title: Decodable { let format: String }
        guard let title = try? coder.decode(Title.self, from: text),
            let version = EventLogFormat.version(in: title.format)
        else { throw ReplayError(line: line, .notAnEventLog) }
        guard version == EventLogFormat.version else { throw ReplayError(line: line, .version(version)) }
        return try decode(EventLogHeader.self, text)
    }

    private func decode<Value: Decodable>(_: Value.Type, _ text: [UInt8]) throws(ReplayError) -> Value {
        do {
            return try coder.decode(Value.self, from: text)
        } catch {
            throw ReplayError(line: line, .invalid(error.words))
        }
    }
}

/// Cuts a stream of bytes into lines that end with a newline. It never holds more than one longest line and one chunk.
struct LineCutter {
    private let limit: Int
    private var chunk: [UInt8] = []
    private var start = 0
    private var partial: [UInt8] = []

    /// - Parameter limit: The longest line in bytes, without its end.
    init(limit: Int) { self.limit = limit }

    enum Cut: Equatable {
        case line([UInt8])
        case tooLong
        /// No complete line until the next `push`.
        case needsMore
    }

    /// Bytes after the last newline.
    var remainder: Int { partial.count + chunk.count - start }

    /// - Precondition: `next` has returned `needsMore`.
    mutating func push(_ bytes: [UInt8]) {
        precondition(start == chunk.count, "call next until it needs more")
        (chunk, start) = (bytes, 0)
    }

    mutating func next() -> Cut {
        let rest = chunk[start...]
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        let piece = rest[..<(end ?? rest.endIndex)]
        guard partial.count + piece.count <= limit else { return .tooLong }
        partial += piece
        start = end.map { $0 + 1 } ?? chunk.count
        guard end != nil else { return .needsMore }
        defer { partial.removeAll(keepingCapacity: true) }
        return .line(partial)
    }
}

/// The first position at which two lists of effects differ.
public struct Difference: Equatable, Sendable {
    /// Counted from 1.
    public let position: Int
    /// Nil: no effect at this position.
    public let recorded: PhoneEffect?
    public let now: PhoneEffect?

    init?(recorded: [PhoneEffect], now: [PhoneEffect]) {
        let length = max(recorded.count, now.count)
        func at(_ index: Int, _ effects: [PhoneEffect]) -> PhoneEffect? {
            index < effects.count ? effects[index] : nil
        }
        guard let index = (0..<length).first(where: { at($0, recorded) != at($0, now) }) else { return nil }
        position = index + 1
        (self.recorded, self.now) = (at(index, recorded), at(index, now))
    }
}

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

extension Replay.Step {
    /// The step on a timeline: what happened, what the phone did, and the state of its calls. The lines contain no
    /// characters that control a terminal.
    public var lines: [String] {
        switch self {
        case .began(let header):
            [clean("recorded by offhook \(header.program)") + (header.redacted ? ", redacted" : "")]
                + header.machine.snapshot.calls.map { Self.indented("= \($0.brief)") }
        case .happened(let moment):
            [Self.padded(moment.time.words) + "  " + clean(moment.event.words)]
                + moment.effects.map { Self.indented("→ \($0.words)") }
                + (moment.calls.map(Self.lines) ?? [])
        case .lost(let count): ["the next \(count) events were lost while logging"]
        }
    }

    private static let column = 14

    private static func lines(_ calls: [CallSummary]) -> [String] {
        calls.isEmpty ? [indented("= no call")] : calls.map { indented("= \($0.brief)") }
    }

    private static func padded(_ text: String) -> String {
        String(repeating: " ", count: max(0, column - text.count)) + text
    }

    private static func indented(_ text: String) -> String { padded("") + "    " + clean(text) }
}

extension Replay.Verdict {
    /// One line, or two if the file ends in the middle of a line.
    public var lines: [String] {
        let cut = "the last line is cut off after \(cutOff) bytes; everything before it was replayed"
        return (cutOff == 0 ? [] : [cut]) + ["\(events) events, \(effects) effects, identical"]
    }
}
