import Base
import PhoneCore
import Testing

/// §13: the cradle, tapped or left down.
@Suite("Hook flash")
struct FlashTests {
    private static let policy = {
        var policy = PhonePolicy()
        policy.flash = FlashTimes()
        return policy
    }()

    static func talking() -> Bench {
        var bench = Bench(policy: Self.policy)
        bench.talk()
        bench.forget()
        return bench
    }

    private static func tap(_ bench: inout Bench, _ milliseconds: Int) {
        bench.replace()
        bench.run(.milliseconds(milliseconds))
        bench.lift()
    }

    @Test func withoutFlashCradleHangsUpAtOnce() {
        var bench = Bench(policy: PhonePolicy())
        bench.talk()
        bench.replace()
        #expect(bench.did(.release(Sample.first)) && bench.phase() == .disconnecting)
    }

    @Test func pressedCradleSilencesCall() {
        var bench = Self.talking()
        bench.replace()
        #expect(bench.did(.microphone(Sample.first, open: false)))
        #expect(bench.did(.pause(true)))
        #expect(bench.phase() == .active, "it may be a flash")
        bench.run(.milliseconds(899))
        #expect(bench.phase() == .active)
        bench.run(.milliseconds(1))
        #expect(bench.phase() == .disconnecting)
        #expect(bench.did(.pause(false)))
    }

    @Test func pressBelowHundredMillisecondsIsIgnored() {
        var bench = Self.talking()
        Self.tap(&bench, 99)
        #expect(bench.phase() == .active)
        #expect(bench.did(.microphone(Sample.first, open: true)))
        #expect(!bench.log.contains { if case .line = $0 { true } else { false } })
    }

    @Test(arguments: [100, 500, 899])
    func flashStartsConsultation(_ milliseconds: Int) {
        var bench = Self.talking()
        Self.tap(&bench, milliseconds)
        #expect(bench.did(.hold(Sample.first, true)))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.phase() == .onHold)
        #expect(bench.machine.snapshot.tone == .dial)
        bench.type("5550101#")
        #expect(bench.phase(Sample.dialled) == .ringingOut)
    }

    @Test func flashBeforeDiallingResumesCall() {
        var bench = Self.talking()
        Self.tap(&bench, 300)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        Self.tap(&bench, 300)
        #expect(bench.did(.hold(Sample.first, false)))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
        #expect(bench.machine.snapshot.tone == nil)
    }

    @Test func flashAnswersWaitingCall() {
        var bench = Self.talking()
        bench.offer(Sample.second)
        Self.tap(&bench, 300)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.did(.answer(Sample.second, Sample.endpoint, awaitingACK: false)))
        bench.connect(Sample.second)
        #expect(bench.phase() == .onHold)
        #expect(bench.phase(Sample.second) == .active)
    }

    @Test func flashSwapsTwoCalls() {
        var bench = Bench(policy: Self.policy)
        bench.talkToTwo()
        Self.tap(&bench, 300)
        bench.line(.holdSettled(Sample.second, Sample.heldPlan))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
        #expect(bench.phase(Sample.second) == .onHold)
    }

    @Test func flashKeyAnswersWaitingCall() {
        var bench = Self.talking()
        bench.offer(Sample.second)
        bench.press(.flash)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.did(.answer(Sample.second, Sample.endpoint, awaitingACK: false)))
    }

    @Test func flashKeyAnswersFromDialTone() {
        var bench = Bench(policy: Self.policy)
        bench.lift()
        bench.offer()
        bench.press(.flash)
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: false)))
    }

    @Test func flashWithoutCallDoesNothing() {
        var bench = Bench(policy: Self.policy)
        bench.post(.panel(.hookFound(.onHook)))
        bench.offer()
        bench.press(.flash)
        #expect(bench.phase() == .ringingIn)
    }

    @Test func flashKeyWorksLikeCradle() {
        var bench = Bench(policy: Self.policy)
        bench.talkToTwo()
        bench.press(.flash)
        #expect(bench.did(.hold(Sample.second, true)))
    }

    @Test func cradleCancelsRingingCallAtOnce() {
        var bench = Bench(policy: Self.policy)
        bench.post(.panel(.hookFound(.onHook)))
        bench.dial()
        bench.replace()
        #expect(bench.did(.end(Sample.dialled)), "there is nothing to flash to")
    }

    @Test func remoteHangUpDuringFlashGivesDialTone() {
        var bench = Self.talking()
        bench.replace()
        bench.run(.milliseconds(200))
        bench.line(.ended(Sample.first, .hungUpThere))
        bench.lift()
        #expect(bench.machine.snapshot.tone == .dial)
    }

    @Test func cradleDoesNotFlashOnSpeaker() {
        var bench = Self.talking()
        bench.press(.speaker)
        Self.tap(&bench, 300)
        #expect(bench.phase() == .active)
        #expect(!bench.did(.hold(Sample.first, true)))
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test func handsetMayDeclineCall() {
        for declines in [true, false] {
            var policy = Self.policy
            policy.onHookDeclines = declines
            var bench = Bench(policy: policy)
            bench.post(.panel(.hookFound(.offHook)))
            bench.offer()
            bench.replace()
            #expect((bench.phase() == .ringingIn) != declines)
        }
    }

    @Test func flashKeepsMute() {
        var bench = Self.talking()
        bench.press(.mute)
        Self.tap(&bench, 50)
        #expect(bench.machine.snapshot.muted)
        #expect(!bench.did(.microphone(Sample.first, open: true)))
    }
}
