import Base
import PhoneCore
import Testing

/// A request without a call applies to the only call that it fits. If it fits several, it fails.
@Suite("Requests without a call")
struct MeantCallTests {
    /// The first call is active, the second rings.
    private static func knocking() -> Bench {
        var bench = Bench()
        bench.talk()
        bench.offer(Sample.second)
        return bench
    }

    /// The first call is held, and the call dialled beside it rings out.
    private static func consulting() -> Bench {
        var bench = Bench()
        bench.talk()
        bench.press(.transfer)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.type("5550101#")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.offerSent(Sample.dialled))
        bench.line(.ringing(Sample.dialled))
        return bench
    }

    @Test func declineAppliesToRingingCall() {
        var bench = Self.knocking()
        #expect(bench.ask(.decline(nil)) == nil)
        #expect(bench.did(.refuse(Sample.second, .declined)) && bench.phase() == .active)
        bench.line(.ended(Sample.second, .hungUpHere))
        #expect(bench.ask(.decline(nil)) == .failed(.noSuchCall), "the call that is up cannot be declined")
        #expect(bench.phase() == .active)
    }

    @Test func declineIsAmbiguousForTwoRingingCalls() {
        var bench = Bench()
        bench.offer()
        bench.offer(Sample.second)
        #expect(bench.ask(.decline(nil)) == .failed(.noSuchCall))
        #expect(bench.ask(.decline(Sample.second)) == nil)
        #expect(bench.did(.refuse(Sample.second, .declined)))
    }

    @Test func answerAppliesToRingingCall() {
        var bench = Self.knocking()
        #expect(bench.ask(.answer(nil)) == nil)
        #expect(bench.phase(Sample.second) == .connecting)
    }

    @Test func answerIsAmbiguousForTwoRingingCalls() {
        var bench = Bench()
        bench.offer()
        bench.offer(Sample.second)
        #expect(bench.ask(.answer(nil)) == .failed(.noSuchCall))
    }

    @Test func hangUpAppliesToActiveCallWhileAnotherRings() {
        var bench = Self.knocking()
        #expect(bench.ask(.hangUp(nil)) == nil)
        #expect(bench.phase() == .disconnecting && bench.phase(Sample.second) == .ringingIn)
    }

    @Test func holdAppliesToActiveCall() {
        var bench = Self.knocking()
        #expect(bench.ask(.hold(nil)) == nil)
        #expect(bench.did(.hold(Sample.first, true)))
    }

    @Test func resumeAppliesToHeldCall() {
        var bench = Bench()
        bench.talkToTwo()
        bench.forget()
        #expect(bench.ask(.resume(nil)) == nil)
        #expect(bench.did(.hold(Sample.second, true)))
        bench.line(.holdSettled(Sample.second, Sample.heldPlan))
        #expect(bench.did(.hold(Sample.first, false)))
    }

    /// The call that rings out has the audio, and can be neither held nor transferred.
    @Test func transferAppliesToHeldCallWhileAnotherRingsOut() {
        var bench = Self.consulting()
        #expect(bench.ask(.transfer(nil, to: "5550199")) == nil)
        #expect(bench.did(.transfer(Sample.first, to: "5550199")))
        #expect(bench.ask(.hangUp(nil)) == nil)
        #expect(bench.did(.end(Sample.dialled)))
    }

    @Test func requestWithoutCallFailsWithReason() {
        var bench = Bench()
        #expect(bench.ask(.hold(nil)) == .failed(.noSuchCall))
        #expect(bench.ask(.decline(nil)) == .failed(.noSuchCall))
        bench.dial()
        #expect(bench.ask(.hold(nil)) == .failed(.wrongState))
        #expect(bench.ask(.dtmf(nil, [.symbol(.one)])) == .failed(.wrongState))
    }

    // MARK: Crossing calls

    @Test(arguments: [true, false]) func crossingCallCanBeAnswered(byKey: Bool) {
        var bench = Bench()
        bench.post(.panel(.hookFound(.onHook)))
        bench.dial()
        bench.offer()
        #expect(bench.machine.snapshot.tone == .ringback)
        if byKey { bench.press(.hold) } else { #expect(bench.ask(.answer(nil)) == nil) }
        #expect(bench.did(.end(Sample.dialled)), "the own call that rings there is given up")
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: !byKey)))
        bench.connect()
        #expect(bench.phase() == .active)
        bench.line(.ended(Sample.dialled, .hungUpHere))
        #expect(bench.ends == [.hungUpHere] && bench.phase() == .active && bench.machine.snapshot.tone == nil)
    }

    /// A far end that answers in the same moment is hung up, and the person talks to the other.
    @Test func crossingAnswerOfAbandonedCallChangesNothing() {
        var bench = Bench()
        bench.post(.panel(.hookFound(.onHook)))
        bench.dial()
        bench.offer()
        bench.press(.hold)
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.connect()
        bench.line(.ended(Sample.dialled, .hungUpHere))
        #expect(bench.phase() == .active && bench.machine.snapshot.calls.count == 1)
    }

    /// A call that replaces another is answered automatically, and must not end a call that the person is dialling.
    @Test func replacementKeepsDialledCall() {
        var bench = Bench()
        bench.talk()
        bench.ask(.dial("5550101", account: nil))
        var caller = Sample.caller
        caller.replaces = Sample.first
        bench.line(.offered(Sample.second, caller))
        #expect(bench.phase(Sample.dialled) == .ringingOut && bench.phase(Sample.second) == .ringingIn)
    }

    @Test func emergencyCallIsNotAbandoned() {
        var bench = Bench()
        bench.post(.panel(.hookFound(.onHook)))
        bench.dial("112")
        bench.offer()
        #expect(bench.ask(.answer(nil)) == .failed(.alreadyUnderWay))
        #expect(bench.phase(Sample.dialled) == .ringingOut)
    }

    // MARK: Semi-attended transfer

    @Test func transferToRingingCallCancelsItAndSendsFirstCallThere() {
        var bench = Self.consulting()
        #expect(bench.ask(.connect(Sample.first, Sample.dialled)) == nil)
        #expect(bench.did(.end(Sample.dialled)))
        #expect(bench.did(.transfer(Sample.first, to: "5550101")))
        bench.line(.ended(Sample.dialled, .hungUpHere))
        bench.line(.transferSettled(Sample.first, accepted: true))
        #expect(bench.outcome(of: 1) == .fulfilled)
        bench.line(.transferred(Sample.first, succeeded: true))
        #expect(bench.phase() == .disconnecting)
        #expect(bench.ends.allSatisfy { $0 == .transferred })
    }

    /// The person keeps the caller if the target does not answer.
    @Test func failedSemiAttendedTransferRestoresCaller() {
        var bench = Self.consulting()
        bench.press(.transfer)
        bench.line(.ended(Sample.dialled, .hungUpHere))
        bench.line(.transferSettled(Sample.first, accepted: true))
        bench.line(.transferred(Sample.first, succeeded: false))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
    }

    @Test func invalidTransferAbandonsNothing() {
        var bench = Bench()
        bench.post(.panel(.hookFound(.onHook)))
        bench.dial()
        bench.offer()
        #expect(bench.ask(.connect(Sample.first, Sample.dialled)) == .failed(.wrongState))
        #expect(!bench.did(.end(Sample.dialled)))
    }
}
