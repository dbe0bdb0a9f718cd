import Base
import PhoneCore
import Testing

@Suite("Two calls, one sound")
struct TwoCallsTests {
    @Test func waitingCallKnocksInsteadOfRinging() {
        var bench = Bench()
        bench.talk()
        bench.forget()
        bench.offer(Sample.second)
        #expect(bench.machine.snapshot.tone == .callWaiting)
        #expect(bench.lamp(.ringing) == .fastBlink)
        #expect(!bench.machine.snapshot.ringing)
        #expect(bench.did(.alert(Sample.second)))
        #expect(bench.phase() == .active)
    }

    @Test func fullPhoneRefusesBusyAndRecords() {
        var bench = Bench()
        bench.talkToTwo()
        bench.forget()
        bench.offer(Sample.third, opened: false)
        #expect(bench.did(.refuse(Sample.third, .busy)))
        #expect(bench.records.map(\.reason) == [.refusedBusy])
        #expect(bench.records.map(\.missed) == [.rejectedBusy])
        #expect(bench.ends == [.refusedBusy])
        #expect(bench.phase(Sample.third) == nil)
        #expect(bench.phase(Sample.second) == .active)
        #expect(!bench.log.contains { if case .media = $0 { true } else { false } }, "the call is not disturbed")
    }

    @Test func limitOfOneDisablesCallWaiting() {
        var policy = Sample.policy
        policy.maximumCalls = 1
        var bench = Bench(policy: policy)
        bench.talk()
        bench.offer(Sample.second, opened: false)
        #expect(bench.did(.refuse(Sample.second, .busy)))
        #expect(bench.ask(.dial("5550100", account: nil)) == .failed(.noRoom))
    }

    @Test func callSendingBYEMakesRoom() {
        var policy = Sample.policy
        policy.maximumCalls = 1
        var bench = Bench(policy: policy)
        bench.talk()
        bench.replace()
        bench.offer(Sample.second)
        #expect(bench.phase() == .disconnecting)
        #expect(bench.phase(Sample.second) == .ringingIn)
        #expect(bench.machine.snapshot.ringing)
    }

    @Test func callsSendingBYEAreLimited() {
        var bench = Bench()
        for number in 1...40 as ClosedRange<UInt32> {
            let id = CallID(.line(.direct), number)
            bench.line(.offered(id, Sample.caller))
            bench.ask(.hangUp(id))
        }
        #expect(bench.machine.snapshot.calls.count == 10)
        #expect(bench.ask(.dial("5550100", account: nil)) == .failed(.noRoom))
        bench.run(.seconds(2))
        #expect(bench.machine.snapshot.calls.isEmpty)
    }

    @Test func endingOneOfTwoCallsPlaysNoTone() {
        var bench = Bench()
        bench.talkToTwo()
        bench.ask(.hangUp(Sample.second))
        bench.line(.ended(Sample.second, .hungUpHere))
        #expect(bench.phase() == .onHold && bench.machine.snapshot.tone == nil)
        bench.type("5")
        #expect(bench.machine.snapshot.calls.count == 1, "and dials nothing")
    }

    @Test func answeringWaitingCallHoldsActiveCallFirst() {
        var bench = Bench()
        bench.talk()
        bench.offer(Sample.second)
        bench.forget()
        bench.press(.hold)
        #expect(bench.did(.hold(Sample.first, true)))
        #expect(!bench.did(.answer(Sample.second, Sample.endpoint, awaitingACK: false)))
        #expect(bench.machine.snapshot.tone == nil)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.did(.answer(Sample.second, Sample.endpoint, awaitingACK: false)))
        bench.connect(Sample.second)
        #expect(bench.phase() == .onHold)
        #expect(bench.phase(Sample.second) == .active)
        #expect(bench.panelOutcomes == [.fulfilled, .fulfilled])
    }

    @Test func failedHoldKeepsCallWaiting() {
        var bench = Bench()
        bench.talk()
        bench.offer(Sample.second)
        bench.ask(.answer(Sample.second))
        bench.line(.holdSettled(Sample.first, nil))
        #expect(bench.outcome(of: 1) == .failed(.refusedThere))
        #expect(bench.phase() == .active)
        #expect(bench.phase(Sample.second) == .ringingIn)
        #expect(bench.machine.snapshot.tone == .callWaiting)
        #expect(bench.ask(.answer(Sample.second)) == nil, "the guard is open again")
    }

    @Test func slowHoldKeepsCallWaiting() {
        var bench = Bench()
        bench.talk()
        bench.offer(Sample.second)
        bench.ask(.answer(Sample.second))
        bench.run(.seconds(5))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(bench.phase(Sample.second) == .ringingIn)
        bench.run(.seconds(25))
        #expect(bench.phase(Sample.second) == .disconnecting, "its ringing time went on")
    }

    /// Answered in its last second, and not admitted: its ring time is over by then.
    @Test func holdFailureAfterRingTimeEndsWaitingCall() {
        var bench = Bench()
        bench.talk()
        bench.offer(Sample.second)
        bench.run(.seconds(29))
        bench.ask(.answer(Sample.second))
        bench.run(.seconds(3))
        #expect(bench.phase(Sample.second) == .connecting)
        bench.line(.holdSettled(Sample.first, nil))
        #expect(bench.phase(Sample.second) == .disconnecting)
        bench.run(.seconds(2))
        #expect(bench.ends == [.noAnswer])
    }

    /// A person who dialled another number learns why it failed.
    @Test func failedHoldFailsDial() {
        var bench = Bench()
        bench.talk()
        bench.ask(.dial("5550100", account: nil))
        bench.line(.holdSettled(Sample.first, nil))
        #expect(bench.outcome(of: 1) == .failed(.refusedThere))
    }

    @Test func waitingCallIsAnsweredWhenActiveCallEnds() {
        var bench = Bench()
        bench.talk()
        bench.offer(Sample.second)
        bench.ask(.answer(Sample.second))
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.did(.answer(Sample.second, Sample.endpoint, awaitingACK: true)))
    }

    @Test func replacingHandsetLetsWaitingCallRing() {
        var bench = Bench()
        bench.talk()
        bench.offer(Sample.second)
        bench.replace()
        #expect(bench.phase() == .disconnecting)
        #expect(bench.machine.snapshot.ringing)
        bench.lift()
        bench.connect(Sample.second)
        #expect(bench.phase(Sample.second) == .active)
    }

    @Test func holdKeySwapsCalls() {
        var bench = Bench()
        bench.talkToTwo()
        bench.forget()
        bench.press(.hold)
        #expect(bench.did(.hold(Sample.second, true)))
        #expect(!bench.did(.hold(Sample.first, false)))
        bench.line(.holdSettled(Sample.second, Sample.heldPlan))
        #expect(bench.did(.hold(Sample.first, false)))
        #expect(bench.phase() == .onHold)
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
        #expect(bench.phase(Sample.second) == .onHold)
        #expect(bench.panelOutcomes == [.fulfilled, .fulfilled])
    }

    @Test func failedSwapKeepsBothCalls() {
        var bench = Bench()
        bench.talkToTwo()
        bench.ask(.resume(nil))
        bench.line(.holdSettled(Sample.second, nil))
        #expect(bench.outcome(of: 1) == .failed(.refusedThere))
        #expect(bench.phase() == .onHold)
        #expect(bench.phase(Sample.second) == .active)
    }

    @Test func slowSwapIsAbandoned() {
        var bench = Bench()
        bench.talkToTwo()
        bench.ask(.resume(nil))
        bench.run(.seconds(2))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        bench.line(.holdSettled(Sample.second, Sample.heldPlan))
        #expect(!bench.did(.hold(Sample.first, false)))
        #expect(bench.ask(.resume(Sample.second)) == nil)
    }

    @Test func diallingHoldsActiveCallFirst() {
        var bench = Bench()
        bench.talk()
        bench.ask(.dial("5550100", account: nil))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(bench.did(.hold(Sample.first, true)))
        #expect(bench.phase(Sample.dialled) == .ringingOut)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.did(.dial(Sample.dialled, target: "5550100", account: .direct, Sample.endpoint)))
    }

    @Test func remotelyHeldCallIsHeldLocallyToo() {
        var bench = Bench()
        bench.talk()
        bench.line(.renegotiated(Sample.first, Sample.heldPlan, heldByFarEnd: true))
        bench.offer(Sample.second)
        bench.press(.hold)
        #expect(bench.did(.hold(Sample.first, true)), "it must not sound when they resume")
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.did(.answer(Sample.second, Sample.endpoint, awaitingACK: false)))
    }

    @Test func onlyOneCallStartsAtATime() {
        var bench = Bench()
        bench.offer()
        bench.offer(Sample.second)
        bench.ask(.answer(Sample.first))
        #expect(bench.ask(.answer(Sample.first)) == .failed(.alreadyUnderWay))
        #expect(bench.ask(.answer(nil)) == .failed(.alreadyUnderWay))
        #expect(bench.ask(.answer(Sample.second)) == .failed(.alreadyUnderWay))
        #expect(bench.ask(.dial("5550100", account: nil)) == .failed(.alreadyUnderWay))
        bench.connect()
        #expect(bench.ask(.answer(Sample.second)) == nil)
    }

    @Test func secondDialIsRefused() {
        var bench = Bench()
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.ask(.dial("5550100", account: nil)) == .failed(.alreadyUnderWay))
    }

    @Test func hangUpEndsActiveCall() {
        var bench = Bench()
        bench.talkToTwo()
        bench.ask(.hangUp(nil))
        #expect(bench.did(.end(Sample.second)))
        #expect(bench.phase() == .onHold)
        bench.ask(.hangUp(nil))
        #expect(bench.did(.end(Sample.first)))
    }

    @Test func heldCallSurvivesReplacingHandset() {
        var bench = Bench()
        bench.talkToTwo()
        bench.replace()
        #expect(bench.phase(Sample.second) == .disconnecting)
        #expect(bench.phase() == .onHold)
        bench.lift()
        #expect(bench.phase() == .onHold)
        bench.press(.hold)
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
    }

    @Test func vaultStoresNewestActiveCall() {
        var bench = Bench()
        bench.talkToTwo()
        let persisted = bench.log.compactMap { if case .vault(.persist(let call)) = $0 { call.call } else { nil } }
        #expect(persisted == [Sample.first.description, Sample.second.description])
        bench.forget()
        bench.line(.ended(Sample.second, .hungUpThere))
        #expect(!bench.did(.vault(.clearPersisted)))
        #expect(bench.log.contains { if case .vault(.persist) = $0 { true } else { false } })
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.log.count { $0 == .vault(.clearPersisted) } == 1)
    }

    @Test func twoCallsMayRingTogether() {
        var bench = Bench()
        bench.offer()
        bench.offer(Sample.second)
        #expect(bench.machine.snapshot.ringing)
        #expect(bench.ask(.hangUp(nil)) == .failed(.noSuchCall), "it could mean either")
        bench.lift()
        #expect(bench.phase() == .connecting)
        #expect(bench.phase(Sample.second) == .ringingIn)
        #expect(!bench.machine.snapshot.ringing)
    }
}
