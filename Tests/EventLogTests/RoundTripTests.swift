import Base
import EventLog
import PhoneCore
import Testing

@Suite("Every value round-trips through a recording")
struct RoundTripTests {
    @Test(arguments: PhoneEvent.samples)
    func eventRoundTrips(_ event: PhoneEvent) throws {
        var tape = Tape()
        try tape.record([(Sample.at, event)])
        let steps = try Replay.run(tape.files[0]).steps
        #expect(steps.moments.map(\.event) == [event])
    }

    /// The phone never does these on its own: the replay reports the recording's effect and the mismatch.
    @Test(arguments: PhoneEffect.samples)
    func effectRoundTrips(_ effect: PhoneEffect) throws {
        var tape = Tape()
        try tape.write(.happening(Happening(before: tape.machine, .deadline, at: Sample.at, effects: [effect])))
        let error = #expect(throws: ReplayError.self) { try Replay.run(tape.files[0]) }
        guard case .mismatch(_, .deadline, let difference) = error?.reason else {
            Issue.record("not a mismatch: \(String(describing: error))")
            return
        }
        #expect(difference.recorded == effect)
        #expect(difference.position == 1)
        #expect(error?.line == 2)
    }

    @Test func samplesAreDistinct() {
        let events = PhoneEvent.samples
        let effects = PhoneEffect.samples
        #expect(events.indices.allSatisfy { events.firstIndex(of: events[$0]) == $0 })
        #expect(effects.indices.allSatisfy { effects.firstIndex(of: effects[$0]) == $0 })
    }

    @Test func nonFiniteFiguresDoNotEndRecording() throws {
        var tape = Tape()
        let figures = VoiceQuality(opinionScore: .infinity, jitterMilliseconds: -.infinity)
        let event = PhoneEvent.media(.quality(Sample.incoming, figures))
        try tape.record([(Sample.at, event)])
        #expect(try Replay.run(tape.files[0]).steps.moments.map(\.event) == [event])
    }
}
