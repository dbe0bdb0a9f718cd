import Base
import PhoneCore
import Testing

@Suite("Two calls, one sound")
struct TwoCallsTests {
    @Test func aWaitingCallKnocksAndNeverRings() {
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

    @Test func aFullHouseRefusesBusyAndRecords() {
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

    @Test func withALimitOfOneThereIsNoWaiting() {
        var policy = Sample.policy
        policy.maximumCalls = 1
        var bench = Bench(policy: policy)
        bench.talk()
        bench.offer(Sample.second, opened: false)
        #expect(bench.did(.refuse(Sample.second, .busy)))
        #expect(bench.ask(.dial("5550100", account: nil)) == .failed(.noRoom))
    }

    @Test func aCallThatSendsBYEMakesRoom() {
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

    @Test func byesAreLimitedToo() {
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

    @Test func whoLeavesOneOfTwoHearsTheSilenceOfTheOther() {
        var bench = Bench()
        bench.talkToTwo()
        bench.ask(.hangUp(Sample.second))
        bench.line(.ended(Sample.second, .hungUpHere))
        #expect(bench.phase() == .onHold && bench.machine.snapshot.tone == nil)
        bench.type("5")
        #expect(bench.machine.snapshot.calls.count == 1, "and dials nothing")
    }

    @Test func answeringTheWaitingCallHoldsTheOtherFirst() {
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

    @Test func aHoldThatFailsLeavesTheWaitingCallWaiting() {
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

    @Test func aHoldThatTakesTooLongLeavesTheWaitingCallWaiting() {
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

    /// Answered in its last second, and not let in: its time is over by then.
    @Test func aHoldThatFailsTooLateIsTheEndOfTheRinging() {
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

    /// Whoever wanted to call somebody else is told why it came to nothing.
    @Test func aHoldThatFailsIsTheReasonThatNobodyWasCalled() {
        var bench = Bench()
        bench.talk()
        bench.ask(.dial("5550100", account: nil))
        bench.line(.holdSettled(Sample.first, nil))
        #expect(bench.outcome(of: 1) == .failed(.refusedThere))
    }

    @Test func theWaitingCallIsAnsweredWhenTheOtherEnds() {
        var bench = Bench()
        bench.talk()
        bench.offer(Sample.second)
        bench.ask(.answer(Sample.second))
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.did(.answer(Sample.second, Sample.endpoint, awaitingACK: true)))
    }

    @Test func replacingTheHandsetLetsTheWaitingCallRing() {
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

    @Test func theHoldKeySwaps() {
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

    @Test func aSwapThatFailsLeavesBothAsTheyWere() {
        var bench = Bench()
        bench.talkToTwo()
        bench.ask(.resume(nil))
        bench.line(.holdSettled(Sample.second, nil))
        #expect(bench.outcome(of: 1) == .failed(.refusedThere))
        #expect(bench.phase() == .onHold)
        #expect(bench.phase(Sample.second) == .active)
    }

    @Test func aSwapThatTakesTooLongIsGivenUp() {
        var bench = Bench()
        bench.talkToTwo()
        bench.ask(.resume(nil))
        bench.run(.seconds(2))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        bench.line(.holdSettled(Sample.second, Sample.heldPlan))
        #expect(!bench.did(.hold(Sample.first, false)))
        #expect(bench.ask(.resume(Sample.second)) == nil)
    }

    @Test func dialingHoldsTheOtherFirst() {
        var bench = Bench()
        bench.talk()
        bench.ask(.dial("5550100", account: nil))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(bench.did(.hold(Sample.first, true)))
        #expect(bench.phase(Sample.dialled) == .ringingOut)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.did(.dial(Sample.dialled, target: "5550100", account: .direct, Sample.endpoint)))
    }

    @Test func aCallHeldThereIsHeldHereToo() {
        var bench = Bench()
        bench.talk()
        bench.line(.renegotiated(Sample.first, Sample.heldPlan, heldByFarEnd: true))
        bench.offer(Sample.second)
        bench.press(.hold)
        #expect(bench.did(.hold(Sample.first, true)), "it must not sound when they resume")
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.did(.answer(Sample.second, Sample.endpoint, awaitingACK: false)))
    }

    @Test func whileOneCallSetsOutNoOtherMay() {
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

    @Test func aSecondDialIsRefused() {
        var bench = Bench()
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.ask(.dial("5550100", account: nil)) == .failed(.alreadyUnderWay))
    }

    @Test func hangUpMeansTheCallInTheEar() {
        var bench = Bench()
        bench.talkToTwo()
        bench.ask(.hangUp(nil))
        #expect(bench.did(.end(Sample.second)))
        #expect(bench.phase() == .onHold)
        bench.ask(.hangUp(nil))
        #expect(bench.did(.end(Sample.first)))
    }

    @Test func theHeldCallOutlivesTheHandset() {
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

    @Test func theVaultKeepsTheYoungestCallThatIsUp() {
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

    @Test func twoCallsMayRingAtOnce() {
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
