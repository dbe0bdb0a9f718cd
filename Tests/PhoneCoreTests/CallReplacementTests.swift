import Base
import PhoneCore
import Testing

/// §14: attended and blind transfer seen by the other two parties. The far end asks us to call a target, or another
/// caller replaces it.
@Suite("Replaced calls")
struct CallReplacementTests {
    private static let successor = Caller(
        number: "5550155", displayName: "Linus", account: .direct, replaces: Sample.first)

    private static func talking(_ policy: PhonePolicy = Sample.policy) -> Bench {
        var bench = Bench(policy: policy)
        bench.talk()
        bench.forget()
        return bench
    }

    /// The far end asked us to call a target, whose phone rings.
    private static func following(_ policy: PhonePolicy = Sample.policy) -> Bench {
        var bench = talking(policy)
        bench.line(.referred(Sample.first, to: "5550144"))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.line(.offerSent(Sample.dialled))
        bench.line(.ringing(Sample.dialled))
        return bench
    }

    private static var single: PhonePolicy {
        var policy = Sample.policy
        policy.maximumCalls = 1
        return policy
    }

    // MARK: Requests of the far end

    @Test func referHoldsCallAndDialsTarget() {
        let bench = Self.following()
        #expect(bench.did(.hold(Sample.first, true)))
        #expect(bench.did(.follow(Sample.dialled, after: Sample.first, account: .direct, Sample.endpoint)))
        #expect(bench.phase() == .onHold && bench.phase(Sample.dialled) == .ringingOut)
        #expect(bench.summary(Sample.dialled)?.number == "5550144")
        #expect(bench.summary(Sample.dialled)?.replaces == Sample.first)
        #expect(bench.machine.snapshot.tone == .ringback)
    }

    @Test func referTargetGetsContactName() {
        var bench = Self.talking()
        bench.post(.vault(.contacts([Contact(name: "Grace", number: "5550144")])))
        bench.line(.referred(Sample.first, to: "5550144"))
        #expect(bench.summary(Sample.dialled)?.name == "Grace")
    }

    @Test func answerFromTargetEndsOldCall() {
        var bench = Self.following()
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        #expect(bench.phase(Sample.dialled) == .active)
        #expect(bench.summary(Sample.dialled)?.replaces == nil)
        #expect(bench.did(.end(Sample.first)))
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.ends == [.transferred])
        #expect(bench.machine.snapshot.tone == nil)
    }

    @Test func earlyMediaOfTargetKeepsOldCall() {
        var bench = Self.following()
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        bench.line(.answered(Sample.dialled, Sample.plan))
        #expect(bench.phase(Sample.dialled) == .active)
        #expect(bench.did(.end(Sample.first)))
    }

    @Test func failedReferRestoresOldCall() {
        var bench = Self.following()
        bench.line(.ended(Sample.dialled, .busyThere))
        #expect(bench.did(.hold(Sample.first, false)))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
        #expect(bench.machine.snapshot.tone == nil, "an active call has no busy tone")
    }

    @Test func unansweredReferRestoresOldCall() {
        var bench = Self.following()
        bench.run(.seconds(30))
        #expect(bench.did(.end(Sample.dialled)))
        #expect(bench.did(.hold(Sample.first, false)))
    }

    @Test func referrerMayHangUpFirst() {
        var bench = Self.following()
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.ends == [.transferred])
        #expect(bench.phase(Sample.dialled) == .ringingOut)
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        #expect(bench.phase(Sample.dialled) == .active)
    }

    @Test func referrerMayHangUpBeforeOfferLeaves() {
        var bench = Self.talking()
        bench.line(.referred(Sample.first, to: "5550144"))
        bench.line(.ended(Sample.first, .hungUpThere))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(bench.did(.follow(Sample.dialled, after: Sample.first, account: .direct, Sample.endpoint)))
    }

    @Test func hangUpEndsBothCalls() {
        var bench = Self.following()
        bench.replace()
        #expect(bench.did(.end(Sample.dialled)) && bench.did(.end(Sample.first)))
    }

    @Test func phoneWithOneCallLimitFollowsRefer() {
        var bench = Self.following(Self.single)
        #expect(bench.phase(Sample.dialled) == .ringingOut)
        bench.offer(Sample.second)
        #expect(bench.did(.refuse(Sample.second, .busy)), "the two count as one, and no third one is let in")
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        #expect(bench.phase(Sample.dialled) == .active)
    }

    @Test func muteSurvivesRefer() {
        var bench = Self.talking()
        bench.ask(.mute(true))
        bench.line(.referred(Sample.first, to: "5550144"))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.line(.offerSent(Sample.dialled))
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        #expect(bench.machine.snapshot.muted)
        #expect(!bench.did(.microphone(Sample.dialled, open: true)))
    }

    @Test func referOnHeldCallIsDeclined() {
        var bench = Bench()
        bench.talkToTwo()
        bench.line(.referred(Sample.first, to: "5550144"))
        #expect(bench.did(.declineReferral(Sample.first)), "the call is held, and another one has the ear")
        bench.line(.referred(Sample.second, to: "5550144"))
        #expect(bench.machine.snapshot.calls.count == 3)
        bench.line(.referred(Sample.second, to: "5550145"))
        #expect(bench.did(.declineReferral(Sample.second)), "one at a time")
    }

    @Test func policyMayDeclineRefers() {
        var policy = Sample.policy
        policy.followsTransfers = false
        var bench = Self.talking(policy)
        bench.line(.referred(Sample.first, to: "5550144"))
        #expect(bench.did(.declineReferral(Sample.first)))
        #expect(bench.phase() == .active)
    }

    @Test func failedHoldRestoresEverything() {
        var bench = Self.talking()
        bench.line(.referred(Sample.first, to: "5550144"))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.holdSettled(Sample.first, nil))
        #expect(bench.ends == [.timedOut])
        #expect(bench.phase() == .active && !bench.machine.snapshot.muted)
    }

    // MARK: Replaced calls

    @Test func replacingCallIsAnsweredWithoutRinging() {
        var bench = Self.talking()
        bench.line(.offered(Sample.second, Self.successor))
        #expect(!bench.machine.snapshot.ringing && bench.machine.snapshot.tone == nil)
        bench.media(.opened(Sample.second, Sample.endpoint))
        #expect(bench.did(.answer(Sample.second, Sample.endpoint, awaitingACK: true)))
        #expect(!bench.did(.hold(Sample.first, true)), "the old voice is heard until the new one is there")
        #expect(bench.phase() == .active)
        bench.line(.answered(Sample.second, Sample.plan))
        bench.media(.ready(Sample.second))
        #expect(bench.did(.end(Sample.first)))
        #expect(bench.phase(Sample.second) == .active && bench.summary(Sample.second)?.number == "5550155")
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.ends == [.transferred])
    }

    @Test func earlyMediaOfReplacingCallIsHeard() {
        var bench = Bench()
        bench.post(.panel(.hookFound(.onHook)))
        bench.dial()
        bench.line(.offered(Sample.second, Caller(number: "5550155", account: .direct, replaces: Sample.dialled)))
        bench.media(.opened(Sample.second, Sample.endpoint))
        bench.connect(Sample.second)
        #expect(bench.phase(Sample.second) == .active && !bench.machine.snapshot.muted)
        #expect(bench.did(.microphone(Sample.second, open: true)))
    }

    @Test func replacingCallerGetsContactName() {
        var bench = Self.talking()
        bench.post(.vault(.contacts([Contact(name: "Grace", number: "5550155")])))
        bench.line(.offered(Sample.second, Self.successor))
        #expect(bench.summary(Sample.second)?.name == "Grace")
    }

    @Test func replacedFarEndMayHangUpFirst() {
        var bench = Self.talking()
        bench.line(.offered(Sample.second, Self.successor))
        bench.media(.opened(Sample.second, Sample.endpoint))
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.ends == [.transferred])
        bench.connect(Sample.second)
        #expect(bench.phase(Sample.second) == .active && bench.machine.snapshot.tone == nil)
    }

    @Test func replacementIsTakenDespiteDoNotDisturbAndOneCallLimit() {
        var bench = Self.talking(Self.single)
        bench.ask(.doNotDisturb(true))
        bench.line(.offered(Sample.second, Self.successor))
        bench.media(.opened(Sample.second, Sample.endpoint))
        bench.connect(Sample.second)
        #expect(bench.phase(Sample.second) == .active)
    }

    /// Both are one conversation and count as one call.
    @Test func replacementCountsAsOneCall() {
        var bench = Self.talking()
        bench.line(.offered(Sample.second, Self.successor))
        bench.media(.opened(Sample.second, Sample.endpoint))
        bench.offer(Sample.third)
        #expect(bench.phase(Sample.third) == .ringingIn)
    }

    @Test func replacementIsRefusedWhileEndingCallsFillPhone() {
        var bench = Bench(policy: Self.single)
        for number in UInt32(10)..<18 {
            let id = CallID(.line(.direct), number)
            bench.line(.offered(id, Sample.caller))
            bench.ask(.hangUp(id))
        }
        bench.talk()
        bench.line(.offered(Sample.second, Self.successor))
        #expect(bench.did(.refuse(Sample.second, .busy)) && bench.phase() == .active)
    }

    @Test func mediaFailureOfReplacementKeepsOldCall() {
        var bench = Self.talking()
        bench.line(.offered(Sample.second, Self.successor))
        bench.media(.failed(Sample.second, "no port"))
        #expect(bench.ends.isEmpty && bench.phase() == .active && bench.machine.snapshot.tone == nil)
    }

    @Test func decliningReplacementKeepsOldCall() {
        var bench = Self.talking()
        bench.line(.offered(Sample.second, Self.successor))
        bench.media(.opened(Sample.second, Sample.endpoint))
        bench.ask(.hangUp(Sample.second))
        bench.run(.seconds(2))
        #expect(bench.phase() == .active && bench.phase(Sample.second) == nil)
    }

    @Test func pickUpElsewhereReplacesDialledCall() {
        var bench = Bench()
        bench.dial()
        var caller = Self.successor
        caller.replaces = Sample.dialled
        bench.line(.offered(Sample.first, caller))
        bench.media(.opened(Sample.first, Sample.endpoint))
        bench.connect(Sample.first)
        #expect(bench.did(.end(Sample.dialled)))
        #expect(bench.phase(Sample.first) == .active && bench.machine.snapshot.tone == nil)
    }

    @Test func ringingCallIsReplacedByAnother() {
        var bench = Self.talking(Self.single)
        var first = Self.successor
        first.replaces = Sample.first
        _ = bench.ask(.hold(Sample.first))
        bench.line(.offered(Sample.second, first))
        bench.line(.offered(Sample.third, first))
        #expect(bench.did(.refuse(Sample.third, .busy)), "the place is taken, and there is room for one call")
    }

    /// A second request to replace the same call gets busy, although there is room for another call.
    @Test func callIsReplacedOnlyOnce() {
        var bench = Bench()
        bench.talkToTwo()
        bench.line(.offered(Sample.third, Self.successor))
        let fourth = CallID(.line(.direct), 4)
        bench.line(.offered(fourth, Self.successor))
        #expect(bench.did(.refuse(fourth, .busy)))
        #expect(bench.phase(Sample.third) == .ringingIn)
    }

    /// A call that is about to replace another one cannot itself be replaced yet.
    @Test func replacingCallCannotBeReplaced() {
        var bench = Self.talking()
        bench.line(.offered(Sample.second, Self.successor))
        var next = Self.successor
        next.replaces = Sample.second
        bench.line(.offered(Sample.third, next))
        #expect(bench.summary(Sample.third)?.replaces == nil)
    }

    @Test func blockedCallerMayNotReplaceCall() {
        var policy = Sample.policy
        policy.blocked = ["5550155"]
        var bench = Self.talking(policy)
        bench.line(.offered(Sample.second, Self.successor))
        #expect(bench.panelOutcomes.isEmpty, "nobody tried to answer it")
        #expect(bench.phase() == .active)
    }

    @Test func replacementOfHeldCallKnocks() {
        var bench = Bench()
        bench.talkToTwo()
        bench.line(.offered(Sample.third, Self.successor))
        bench.media(.opened(Sample.third, Sample.endpoint))
        #expect(bench.machine.snapshot.tone == .callWaiting, "the person talks in another call")
        #expect(!bench.did(.answer(Sample.third, Sample.endpoint, awaitingACK: true)))
        bench.ask(.answer(Sample.third))
        bench.line(.holdSettled(Sample.second, Sample.heldPlan))
        bench.connect(Sample.third)
        #expect(bench.did(.end(Sample.first)))
        #expect(bench.phase(Sample.third) == .active && bench.phase(Sample.second) == .onHold)
    }

    @Test func replacementOfNoCallRingsNormally() {
        var bench = Bench()
        bench.line(.offered(Sample.second, Self.successor))
        #expect(bench.phase(Sample.second) == .ringingIn && bench.machine.snapshot.ringing)
    }
}
