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
