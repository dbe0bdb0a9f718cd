import Base
import PhoneCore
import Testing

@Suite("Hold and mute")
struct HoldTests {
    @Test func toggleActsOnNamedCall() {
        var bench = Bench()
        bench.talkToTwo()
        bench.forget()
        bench.ask(.toggleHold(Sample.first))
        bench.line(.holdSettled(Sample.second, Sample.heldPlan))
        #expect(bench.did(.hold(Sample.first, false)))
    }

    @Test func holdClosesMicrophoneBeforeFarEndAgrees() {
        var bench = Bench()
        bench.talk()
        bench.forget()
        bench.ask(.hold(nil))
        #expect(bench.did(.hold(Sample.first, true)))
        #expect(bench.did(.microphone(Sample.first, open: false)))
        #expect(bench.phase() == .active)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.did(.update(Sample.first, Sample.heldPlan)))
        #expect(bench.phase() == .onHold)
        #expect(bench.summary()?.heldHere == true)
        #expect(bench.summary()?.heldThere == false)
        #expect(bench.lamp(.hold) == .slowBlink)
    }

    @Test(arguments: [false, true])
    func farEndMayMoveOrHoldDuringSetup(_ isHeld: Bool) {
        var bench = Bench()
        bench.network(Sample.home)
        bench.offer()
        bench.lift()
        bench.line(.answered(Sample.first, Sample.plan))
        let plan = isHeld ? Sample.heldPlan : Sample.plan(port: 6_000)
        bench.line(.renegotiated(Sample.first, plan, heldByFarEnd: isHeld))
        #expect(bench.did(.update(Sample.first, plan)))
        bench.media(.ready(Sample.first))
        #expect(bench.phase() == (isHeld ? .onHold : .active))
        #expect(bench.summary()?.heldThere == isHeld)
        bench.forget()
        bench.line(.renegotiated(Sample.first, Sample.plan(port: 7_000), heldByFarEnd: false))
        #expect(bench.did(.update(Sample.first, Sample.plan(port: 7_000))))
        #expect(bench.phase() == .active)
    }

    @Test func heldCallIsSilentForAnyTerms() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hold(nil))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.did(.update(Sample.first, Sample.heldPlan)))
        bench.forget()
        bench.line(.renegotiated(Sample.first, Sample.plan(port: 6_000), heldByFarEnd: false))
        #expect(bench.did(.update(Sample.first, Sample.plan(port: 6_000, sends: false, receives: false))))
    }

    @Test func resumeOpensMicrophoneWhenFarEndAgrees() {
        var bench = Bench()
        bench.talk()
        bench.holdFirst()
        bench.forget()
        bench.ask(.resume(nil))
        #expect(bench.did(.hold(Sample.first, false)))
        #expect(!bench.did(.microphone(Sample.first, open: true)))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.outcome(of: 2) == .fulfilled)
        #expect(bench.did(.update(Sample.first, Sample.plan)))
        #expect(bench.did(.microphone(Sample.first, open: true)))
        #expect(bench.phase() == .active)
        #expect(bench.lamp(.hold) == .off)
    }

    @Test(arguments: [false, true])
    func resumeRestoresMute(_ muted: Bool) {
        var bench = Bench()
        bench.talk()
        bench.ask(.mute(muted))
        bench.ask(.hold(nil))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.machine.snapshot.muted == muted, "the hold's own mute is not the person's")
        bench.ask(.resume(nil))
        bench.forget()
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.machine.snapshot.muted == muted)
        #expect(bench.did(.microphone(Sample.first, open: true)) == !muted)
    }

    @Test(arguments: [false, true])
    func failedHoldLeaksNothing(_ muted: Bool) {
        var bench = Bench()
        bench.talk()
        bench.ask(.mute(muted))
        bench.ask(.hold(nil))
        bench.forget()
        bench.line(.holdSettled(Sample.first, nil))
        #expect(bench.outcome(of: 2) == .failed(.refusedThere))
        #expect(!bench.did(.microphone(Sample.first, open: true)), "a muted person is not heard")
        #expect(bench.machine.snapshot.muted)
        #expect(bench.lamp(.mute) == .on)
        #expect(bench.phase() == .active)
        #expect(bench.summary()?.heldHere == false)
        bench.ask(.mute(false))
        #expect(bench.did(.microphone(Sample.first, open: true)))
    }

    @Test func failedResumeStaysHeld() {
        var bench = Bench()
        bench.talk()
        bench.holdFirst()
        bench.ask(.resume(nil))
        bench.forget()
        bench.line(.holdSettled(Sample.first, nil))
        #expect(bench.outcome(of: 2) == .failed(.refusedThere))
        #expect(bench.phase() == .onHold)
        #expect(!bench.did(.microphone(Sample.first, open: true)))
    }

    @Test func slowHoldFailsAndLeaksNothing() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hold(nil))
        bench.forget()
        bench.run(.seconds(2))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(!bench.did(.microphone(Sample.first, open: true)))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.phase() == .onHold, "the far end was notified; so it is")
    }

    /// RFC 3261 §14.1: after crossing offers, each end retries after up to 4 s.
    @Test func crossingHoldGetsTimeToRetry() {
        var bench = Bench()
        bench.talk()
        bench.forget()
        bench.ask(.hold(nil))
        bench.run(.milliseconds(50))
        bench.line(.holdDelayed(Sample.first, by: .milliseconds(3_900)))
        bench.run(.milliseconds(3_950))
        #expect(bench.outcome(of: 1) == nil)
        #expect(!bench.did(.microphone(Sample.first, open: true)))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.phase() == .onHold)
    }

    @Test func delayedHoldTimesOut() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hold(nil))
        bench.line(.holdDelayed(Sample.first, by: .seconds(3)))
        bench.run(.milliseconds(4_999))
        #expect(bench.outcome(of: 1) == nil)
        bench.run(.milliseconds(1))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
    }

    @Test func crossingResumeGetsTimeToRetry() {
        var bench = Bench()
        bench.talk()
        bench.holdFirst()
        bench.ask(.resume(nil))
        bench.line(.holdDelayed(Sample.first, by: .seconds(3)))
        bench.run(.seconds(4))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.outcome(of: 2) == .fulfilled)
    }

    /// A swap: the second call is resumed when the first is held.
    @Test func queuedActionWaitsForDelayedHold() {
        var bench = Bench()
        bench.talkToTwo()
        bench.ask(.resume(Sample.first))
        bench.line(.holdDelayed(Sample.second, by: .seconds(3)))
        bench.run(.seconds(4))
        bench.line(.holdSettled(Sample.second, Sample.heldPlan))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.phase() == .active)
        #expect(bench.phase(Sample.second) == .onHold)
    }

    @Test func zeroDelayChangesNothing() {
        var bench = Bench()
        bench.talk()
        let effects = bench.post(.line(.holdDelayed(Sample.first, by: .seconds(3))))
        #expect(effects.isEmpty)
        bench.ask(.hold(nil))
        for absurd in [Duration.seconds(-10), .nanoseconds(Int64.min)] {
            bench.line(.holdDelayed(Sample.first, by: absurd))
        }
        bench.run(.milliseconds(1_999))
        #expect(bench.outcome(of: 1) == nil)
        bench.run(.milliseconds(1))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
    }

    @Test func unsettledHoldKeepsOldTerms() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hold(nil))
        bench.forget()
        bench.run(.milliseconds(32_999))
        #expect(!bench.did(.microphone(Sample.first, open: true)))
        bench.run(.milliseconds(1))
        #expect(!bench.did(.microphone(Sample.first, open: true)))
        #expect(bench.noticed(.muteChanged(true)))
        #expect(bench.phase() == .active)
    }

    @Test func unsettledResumeStaysHeld() {
        var bench = Bench()
        bench.talk()
        bench.holdFirst()
        bench.ask(.resume(nil))
        bench.run(.seconds(2))
        #expect(bench.outcome(of: 2) == .failed(.timedOut))
        bench.run(.seconds(31))
        #expect(bench.phase() == .onHold)
        #expect(bench.ask(.resume(nil)) == nil, "it can be tried again")
    }

    @Test func localAndRemoteHoldAreIndependent() {
        var bench = Bench()
        bench.talk()
        bench.line(.renegotiated(Sample.first, Sample.heldPlan, heldByFarEnd: true))
        #expect(bench.phase() == .onHold)
        #expect(bench.summary()?.heldThere == true)
        #expect(bench.summary()?.heldHere == false)
        bench.holdFirst()
        bench.line(.renegotiated(Sample.first, Sample.heldPlan, heldByFarEnd: false))
        #expect(bench.phase() == .onHold)
        #expect(bench.summary()?.heldHere == true)
        #expect(bench.summary()?.heldThere == false)
        bench.ask(.resume(nil))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
    }

    @Test func invalidHoldAndResumeAreRejected() {
        var bench = Bench()
        #expect(bench.ask(.hold(nil)) == .failed(.noSuchCall))
        #expect(bench.ask(.resume(nil)) == .failed(.noSuchCall))
        bench.talk()
        #expect(bench.ask(.resume(Sample.first)) == .failed(.wrongState))
        bench.ask(.hold(nil))
        #expect(bench.ask(.hold(nil)) == .failed(.alreadyUnderWay))
        #expect(bench.ask(.resume(Sample.first)) == .failed(.alreadyUnderWay))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.ask(.hold(nil)) == .failed(.wrongState))
        #expect(bench.ask(.resume(nil)) == nil)
        #expect(bench.ask(.resume(nil)) == .failed(.alreadyUnderWay))
    }

    @Test func unexpectedSettlementIsIgnored() {
        var bench = Bench()
        bench.talk()
        bench.forget()
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.log.isEmpty)
    }

    @Test func endOfCallFailsPendingHold() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hold(nil))
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.outcome(of: 1) == .failed(.callEnded(.hungUpThere)))
    }

    @Test func muteIsLocalAndSurvivesRoutes() {
        var bench = Bench()
        bench.talk()
        bench.forget()
        #expect(bench.ask(.mute(true)) == .fulfilled)
        #expect(bench.log.contains(.media(.microphone(Sample.first, open: false))))
        #expect(bench.noticed(.muteChanged(true)))
        #expect(bench.lamp(.mute) == .on)
        bench.press(.speaker)
        #expect(bench.machine.snapshot.muted)
        #expect(!bench.did(.microphone(Sample.first, open: true)))
        #expect(bench.log.allSatisfy { if case .line = $0 { false } else { true } })
        bench.press(.mute)
        #expect(!bench.machine.snapshot.muted)
        #expect(bench.did(.microphone(Sample.first, open: true)))
    }

    @Test func muteBelongsToCall() {
        var bench = Bench()
        #expect(bench.ask(.mute(true)) == .failed(.noSuchCall))
        bench.offer()
        bench.lift()
        #expect(bench.ask(.mute(true)) == .failed(.wrongState))
        bench.connect()
        bench.press(.mute)
        bench.replace()
        #expect(!bench.machine.snapshot.muted)
        #expect(bench.lamp(.mute) == .off)
    }

    @Test func holdKeyHoldsAndResumes() {
        var bench = Bench()
        bench.talk()
        bench.press(.hold)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.phase() == .onHold)
        bench.press(.hold)
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
        #expect(bench.panelOutcomes == [.fulfilled, .fulfilled, .fulfilled])
    }
}
