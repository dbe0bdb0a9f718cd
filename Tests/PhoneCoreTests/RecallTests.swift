import Base
import PhoneCore
import Testing

/// A person hangs up while a caller waits on hold: the phone rings for that caller.
@Suite("Recall of held calls")
struct RecallTests {
    /// The first call is held, and the handset was replaced while the consultation rang.
    private static func left(policy: PhonePolicy = Sample.policy) -> Bench {
        var bench = Bench(policy: policy)
        bench.talk()
        bench.press(.transfer)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.type("5550101#")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.offerSent(Sample.dialled))
        bench.line(.ringing(Sample.dialled))
        bench.forget()
        bench.replace()
        bench.line(.ended(Sample.dialled, .hungUpHere))
        return bench
    }

    @Test func phoneRingsAndHandsetResumesHeldCall() {
        var bench = Self.left()
        #expect(bench.ends == [.hungUpHere] && bench.phase() == .onHold)
        #expect(bench.machine.snapshot.ringing && bench.lamp(.ringing) == .fastBlink)
        bench.lift()
        #expect(!bench.machine.snapshot.ringing && bench.did(.hold(Sample.first, false)))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active && bench.did(.microphone(Sample.first, open: true)))
    }

    @Test func speakerKeyAndRequestResumeHeldCall() {
        var bench = Self.left()
        bench.press(.speaker)
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active && bench.machine.snapshot.route == .speaker)
        var other = Self.left()
        #expect(other.ask(.answer(nil)) == nil)
        other.line(.holdSettled(Sample.first, Sample.plan))
        #expect(other.phase() == .active && !other.machine.snapshot.ringing)
    }

    @Test func recallRingsAsLongAsCallAndKeepsCaller() {
        var bench = Self.left()
        bench.run(.milliseconds(29_999))
        #expect(bench.machine.snapshot.ringing)
        bench.run(.milliseconds(1))
        #expect(!bench.machine.snapshot.ringing && bench.phase() == .onHold)
    }

    @Test func recallStopsOnRemoteHangUpOrSilencing() {
        var gone = Self.left()
        gone.line(.ended(Sample.first, .hungUpThere))
        #expect(!gone.machine.snapshot.ringing && gone.machine.snapshot.calls.isEmpty)
        var silenced = Self.left()
        silenced.press(.mute)
        #expect(!silenced.machine.snapshot.ringing && silenced.phase() == .onHold)
        var stopped = Self.left()
        stopped.post(.shutDown)
        #expect(!stopped.machine.snapshot.ringing)
    }

    @Test func heldCallRecallsWhenOtherCallEnds() {
        var bench = Bench()
        bench.talkToTwo()
        bench.replace()
        bench.line(.ended(Sample.second, .hungUpHere))
        #expect(bench.machine.snapshot.ringing && bench.phase() == .onHold)
    }
}
