import Base
import PhoneCore
import Testing

/// §8: a more important use takes the sound device.
@Suite("Interruption")
struct InterruptionTests {
    @Test func endOfInterruptionRestoresEverything() {
        for muted in [false, true] {
            var bench = Bench()
            bench.talk()
            bench.ask(.mute(muted))
            bench.forget()
            bench.media(.interrupted)
            #expect(bench.did(.pause(true)))
            #expect(bench.did(.microphone(Sample.first, open: false)) != muted)
            #expect(bench.machine.snapshot.interrupted)
            #expect(bench.noticed(.interruptionChanged(true)))
            bench.run(.milliseconds(29_999))
            #expect(bench.phase() == .active)
            bench.media(.interruptionEnded)
            #expect(bench.did(.pause(false)))
            #expect(bench.noticed(.interruptionChanged(false)))
            #expect(bench.did(.microphone(Sample.first, open: true)) != muted)
            #expect(bench.machine.snapshot.muted == muted)
            bench.run(.seconds(60))
            #expect(bench.phase() == .active)
        }
    }

    @Test func callIsHeldAfterThirtySeconds() {
        var bench = Bench()
        bench.talk()
        bench.media(.interrupted)
        bench.run(.seconds(30))
        #expect(bench.did(.hold(Sample.first, true)))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.media(.interruptionEnded)
        #expect(bench.phase() == .onHold, "the person takes it back")
        bench.press(.hold)
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
    }

    @Test func heldCallIsNotHeldAgain() {
        var bench = Bench()
        bench.talkToTwo()
        bench.forget()
        bench.media(.interrupted)
        bench.run(.seconds(30))
        #expect(bench.did(.hold(Sample.second, true)))
        #expect(!bench.did(.hold(Sample.first, true)))
    }

    @Test func callAnsweredDuringInterruptionIsSilent() {
        var bench = Bench()
        bench.media(.interrupted)
        bench.talk()
        #expect(bench.did(.microphone(Sample.first, open: false)))
        #expect(bench.times(.activate(Sample.first)) == 1)
        bench.media(.interruptionEnded)
        #expect(bench.did(.microphone(Sample.first, open: true)))
    }

    @Test func repeatedInterruptionCountsOnce() {
        var bench = Bench()
        bench.talk()
        bench.media(.interrupted)
        bench.run(.seconds(20))
        bench.media(.interrupted)
        bench.run(.seconds(10))
        #expect(bench.did(.hold(Sample.first, true)), "thirty seconds from the first word of it")
        let again = bench.post(.media(.interruptionEnded))
        #expect(!again.isEmpty)
        #expect(bench.post(.media(.interruptionEnded)).isEmpty)
    }
}
