import Base
import EventLog
import PhoneCore
import Testing

@Suite("Timeline as text")
struct WordsTests {
    private static func timeline(_ story: [(at: Instant, event: PhoneEvent)]) throws -> [String] {
        var tape = Tape()
        try tape.record(story)
        return try Replay.run(tape.files[0]).steps.flatMap(\.lines)
    }

    @Test func eventsEffectsAndCallsHaveTimes() throws {
        let later = Sample.at + .milliseconds(62_500)
        var caller = Sample.caller
        caller.arrived = later
        let lines = try Self.timeline([
            (Sample.at, .panel(.hookFound(.onHook))), (later, .line(.offered(Sample.incoming, caller))),
        ])
        #expect(lines.first == "recorded by offhook 1.2.3")
        #expect(lines.contains("    0.000000 s  panel: hook found on hook"))
        #expect(lines.contains("   62.500000 s  line: offered in-1.7, +442079461234 \"Ada Lovelace\""))
        #expect(lines.contains("                  → line: alert in-1.7"))
        #expect(lines.contains { $0.hasPrefix("                  = in-1.7 ringing in +442079461234") })
    }

    /// The text is plain English. It has no marks of Swift.
    @Test(arguments: PhoneEvent.samples)
    func everyEventHasText(_ event: PhoneEvent) throws {
        let line = try #require(try Self.timeline([(Sample.at, event)]).dropFirst().first)
        #expect(line.hasPrefix("    0.000000 s  "))
        #expect(!line.contains("_0") && !line.contains("Optional(") && !line.contains("PhoneCore"))
        #expect(line.count < 200)
    }

    @Test(arguments: PhoneEffect.samples)
    func everyEffectHasText(_ effect: PhoneEffect) throws {
        var tape = Tape()
        try tape.write(.happening(Happening(before: tape.machine, .deadline, at: Sample.at, effects: [effect])))
        let error = try #require(#expect(throws: ReplayError.self) { try Replay.run(tape.files[0]) })
        let lines = error.description.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("  recorded  "))
        let words = lines[1].dropFirst(12).prefix { $0 != "(" }
        #expect(!words.contains("Optional") && words.contains { $0.isLetter })
    }

    @Test func farEndTextIsSafeForTerminal() throws {
        let nasty = "\u{1B}[2J\r\n\u{202E}evil"
        let caller = Caller(number: nasty, displayName: nasty, account: .direct)
        for line in try Self.timeline([(Sample.at, .line(.offered(Sample.incoming, caller)))]) {
            let bad = line.unicodeScalars.filter { $0.value < 0x20 || $0.value == 0x202E }
            #expect(bad.isEmpty)
        }
    }

    @Test func verdictsAreText() throws {
        var tape = Tape()
        try tape.record(Story.events())
        let verdict = try Replay.run(tape.files[0]).verdict
        #expect(verdict.lines == ["\(verdict.events) events, \(verdict.effects) effects, identical"])
        let cut = try Replay.run(Array(tape.files[0].dropLast(5))).verdict
        #expect(cut.lines.count == 2)
        #expect(cut.lines[0].hasPrefix("the last line is cut off after "))
    }
}
