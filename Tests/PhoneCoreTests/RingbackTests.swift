import Base
import PhoneCore
import Testing

/// RFC 3960 §3.2: signalling shows that the far end's phone rings, and only media shows whether its voice arrives.
@Suite("Ringback until voice comes")
struct RingbackTests {
    private static let silentPlan = Sample.plan(sends: true, receives: false)

    /// A call whose far end has described its voice, with or without ringing.
    private static func described(alerting: Bool = true, _ plan: NegotiatedMedia = Sample.plan) -> Bench {
        var bench = Bench()
        bench.lift()
        bench.type("5550100#")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.offerSent(Sample.dialled))
        if alerting { bench.line(.ringing(Sample.dialled)) }
        bench.line(.earlyMedia(Sample.dialled, plan))
        bench.media(.ready(Sample.dialled))
        return bench
    }

    @Test func descriptionWithoutVoiceKeepsRingback() {
        var bench = Self.described()
        #expect(bench.machine.snapshot.tone == .ringback)
        bench.run(.seconds(20))
        #expect(bench.machine.snapshot.tone == .ringback)
    }

    @Test func firstVoiceEndsRingbackAndIsReported() {
        var bench = Self.described()
        bench.media(.firstVoice(Sample.dialled))
        #expect(bench.machine.snapshot.tone == nil)
        #expect(bench.noticed(.firstVoice(Sample.dialled)))
    }

    @Test(arguments: [true, false]) func silenceRestartsRingback(alerting: Bool) {
        var bench = Self.described(alerting: alerting)
        bench.media(.firstVoice(Sample.dialled))
        bench.run(.seconds(10))
        #expect(bench.machine.snapshot.tone == nil)
        bench.media(.silent(Sample.dialled))
        #expect(bench.machine.snapshot.tone == .ringback)
        bench.media(.heard(Sample.dialled))
        #expect(bench.machine.snapshot.tone == nil)
        bench.line(.answered(Sample.dialled, Sample.plan))
        #expect(bench.phase(Sample.dialled) == .active && bench.machine.snapshot.tone == nil)
    }

    /// An announcement of a server is no ringing. Its voice has one second to arrive.
    @Test func progressWithoutVoiceStartsRingbackAfterOneSecond() {
        var bench = Self.described(alerting: false)
        #expect(bench.machine.snapshot.tone == nil)
        bench.run(.milliseconds(999))
        #expect(bench.machine.snapshot.tone == nil)
        bench.run(.milliseconds(1))
        #expect(bench.machine.snapshot.tone == .ringback)
        bench.media(.firstVoice(Sample.dialled))
        #expect(bench.machine.snapshot.tone == nil)
        bench.run(.seconds(29))
        #expect(bench.phase(Sample.dialled) == .disconnecting, "it rings for no longer than before")
    }

    @Test(arguments: [true, false]) func silentPlanKeepsRingback(alerting: Bool) {
        var bench = Self.described(alerting: alerting, Self.silentPlan)
        #expect(bench.machine.snapshot.tone == .ringback)
        // RTCP reports show that the far end is there, but are no voice.
        bench.media(.silent(Sample.dialled))
        bench.media(.heard(Sample.dialled))
        #expect(bench.machine.snapshot.tone == .ringback)
        bench.line(.answered(Sample.dialled, Sample.plan))
        #expect(bench.phase(Sample.dialled) == .active && bench.machine.snapshot.tone == nil)
    }

    @Test func changedTermsDecideTogetherWithVoice() {
        var bench = Self.described()
        bench.media(.firstVoice(Sample.dialled))
        bench.line(.earlyMedia(Sample.dialled, Self.silentPlan))
        #expect(bench.machine.snapshot.tone == .ringback, "no voice comes from now on")
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        #expect(bench.machine.snapshot.tone == nil)
        bench.media(.silent(Sample.dialled))
        #expect(bench.machine.snapshot.tone == .ringback)
    }

    @Test func ringingAfterVoiceKeepsVoice() {
        var bench = Self.described(alerting: false)
        bench.media(.firstVoice(Sample.dialled))
        bench.line(.ringing(Sample.dialled))
        #expect(bench.machine.snapshot.tone == nil, "the far end is heard")
        bench.media(.silent(Sample.dialled))
        #expect(bench.machine.snapshot.tone == .ringback)
    }
}
