import Base
import EventLog
import PhoneCore
import Testing

@Suite("Replay reports faults with their place")
struct ReplayTests {
    private static let newline = UInt8(ascii: "\n")

    private static func recording(events: Int = 12) throws -> [UInt8] {
        var tape = Tape()
        try tape.record(Array(Story.events().prefix(events)))
        return tape.files[0]
    }

    private static func lines(events: Int = 12) throws -> [[UInt8]] {
        try recording(events: events).split(separator: newline).map(Array.init)
    }

    private static func joined(_ lines: [[UInt8]]) -> [UInt8] { Array(lines.map { $0 + [newline] }.joined()) }

    private static func reason(_ file: [UInt8]) -> ReplayError? {
        do {
            _ = try Replay.run(file)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [1, 2, 7, 1_000, 1 << 20])
    func chunkSizesDoNotMatter(chunk: Int) throws {
        let (steps, verdict) = try Replay.run(Self.recording(), chunk: chunk)
        #expect(verdict.events == 12)
        #expect(steps.count == 13)
    }

    @Test func changedEffectIsMismatch() throws {
        var lines = try Self.lines()
        let index = try #require(
            lines.indices.dropFirst().first { !String(decoding: lines[$0], as: UTF8.self).contains("\"effects\":[]") })
        let text = String(decoding: lines[index], as: UTF8.self)
        let start = try #require(text.firstRange(of: "\"effects\":["))
        let end = try #require(text.firstRange(of: "],\"event\""))
        lines[index] = Array((text[..<start.upperBound] + "{\"stopped\":{}}" + text[end.lowerBound...]).utf8)
        let error = try #require(Self.reason(Self.joined(lines)))
        #expect(error.line == index + 1)
        guard case .mismatch(_, _, let difference) = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(difference.position == 1)
        #expect(difference.recorded == .stopped)
        #expect(difference.now != .stopped && difference.now != nil)
        #expect(error.description.contains("recorded  stopped"))
    }

    @Test func missingEventIsFound() throws {
        var lines = try Self.lines(events: .max)
        let dropped = try #require(lines.firstIndex { String(decoding: $0, as: UTF8.self).contains("\"offered\"") })
        lines.remove(at: dropped)
        let error = try #require(Self.reason(Self.joined(lines)))
        guard case .mismatch = error.reason else {
            Issue.record("\(error)")
            return
        }
    }

    /// A crash cuts a file anywhere: everything before the cut is replayed.
    @Test func fileCutAnywhereReplaysItsBeginning() throws {
        let file = try Self.recording(events: 3)
        let header = try #require(file.firstIndex(of: Self.newline))
        #expect(Self.reason([])?.reason == .empty)
        for length in stride(from: 1, through: header, by: 97) {
            #expect(Self.reason(Array(file[..<length]))?.reason == .notAnEventLog)
        }
        for length in (header + 1)...file.count {
            let part = Array(file[..<length])
            let verdict = try Replay.run(part).verdict
            let whole = try #require(part.lastIndex(of: Self.newline)) + 1
            #expect(verdict.cutOff == length - whole)
            #expect(verdict.events == part.count { $0 == Self.newline } - 1)
        }
    }

    @Test(arguments: [
        ("{}", ReplayError.Reason.notAnEventLog), ("", .notAnEventLog), ("\0\0\0", .notAnEventLog),
        ("{\"format\":\"offhook recording\"}", .notAnEventLog), ("{\"format\":7}", .notAnEventLog),
        ("{\"format\":\"offhook recording 2\"}", .version(2)),
        ("{\"format\":\"offhook recording 1\"}", .invalid("machine is missing")),
    ])
    func firstLineIsChecked(_ line: String, _ reason: ReplayError.Reason) {
        let error = Self.reason(Array((line + "\n").utf8))
        #expect(error?.line == 1)
        #expect(error?.reason == reason)
    }

    @Test(
        arguments: [
            ("{}", "at is missing"), ("[]", nil), ("", nil), ("\u{0}\u{1}", nil), ("{\"at\":1,\"event\":{}", nil),
            ("{\"at\":1,\"event\":{\"deadline\":{}}}", "effects is missing"),
            ("{\"at\":1.5,\"effects\":[],\"event\":{\"deadline\":{}}}", nil),
            ("{\"at\":99999999999999999999,\"effects\":[],\"event\":{\"deadline\":{}}}", nil),
            ("{\"lost\":0}", "lost: not above 0"), ("{\"lost\":-1}", "lost: not above 0"),
        ] as [(String, String?)])
    func laterLinesAreChecked(_ line: String, _ why: String?) throws {
        let error = try #require(Self.reason(Self.joined([try Self.lines()[0], Array(line.utf8)])))
        #expect(error.line == 2)
        guard case .invalid(let text) = error.reason else {
            Issue.record("\(error)")
            return
        }
        if let why { #expect(text == why) }
        #expect(!error.description.contains { $0.isNewline || $0 == "\0" })
    }

    @Test func deepNestingIsRejected() throws {
        let deep = Array((String(repeating: "[", count: 500_000)).utf8)
        let error = try #require(Self.reason(Self.joined([try Self.lines()[0], deep])))
        guard case .invalid = error.reason else {
            Issue.record("\(error)")
            return
        }
    }

    @Test func timesMustNotGoBack() throws {
        let head = try Self.lines()[0]
        func deadline(_ at: Int64) -> [UInt8] {
            Array("{\"at\":\(at),\"effects\":[],\"event\":{\"deadline\":{}}}".utf8)
        }
        let back = Self.reason(Self.joined([head, deadline(-1)]))
        #expect(back?.reason == .timeIsWrong)
        #expect(back?.line == 2)
        for time in [Int64.min, .max] {
            let error = Self.reason(Self.joined([head, deadline(time)]))
            #expect(error?.reason == .invalid("at: beyond the range of any clock"))
            #expect(error?.line == 2)
        }
        var lines = try Self.lines()
        lines.append(lines[1])
        #expect(Self.reason(Self.joined(lines))?.reason == .timeIsWrong)
        #expect(Self.reason(Self.joined(lines))?.line == lines.count)
    }

    @Test func nothingFollowsLoss() throws {
        let lines = try Self.lines() + [Array("{\"lost\":2}".utf8)]
        #expect(try Replay.run(Self.joined(lines)).verdict.lost == 2)
        let error = Self.reason(Self.joined(lines + [lines[1]]))
        #expect(error?.reason == .afterTheEnd)
        #expect(error?.line == lines.count + 1)
    }

    @Test func lineLengthIsLimited() throws {
        let head = try Self.lines()[0]
        func padded(to length: Int) -> [UInt8] {
            let line = Array("{\"at\":1,\"effects\":[],\"event\":{\"nonsense\":{}}}".utf8)
            return line + [UInt8](repeating: UInt8(ascii: " "), count: length - line.count)
        }
        let longest = Self.reason(Self.joined([head, padded(to: EventLogFormat.longestLine)]))
        guard case .invalid = longest?.reason else {
            Issue.record("a line of the longest length is read: \(String(describing: longest))")
            return
        }
        let longer = Self.reason(Self.joined([head, padded(to: EventLogFormat.longestLine + 1)]))
        #expect(longer?.reason == .tooLong)
        #expect(longer?.line == 2)
        // Without an end it could have any length, so its end is not waited for.
        let endless = head + [Self.newline] + [UInt8](repeating: UInt8(ascii: "1"), count: 3 << 20)
        #expect(Self.reason(endless)?.reason == .tooLong)
    }
}
