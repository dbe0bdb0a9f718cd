import Base
import PhoneCore
import Testing

/// §13's transfer and conference keys, and what other programs ask of the same kind.
@Suite("Consultation, transfer, conference")
struct CallTransferTests {
    private static func talking(_ policy: PhonePolicy = Sample.policy) -> Bench {
        var bench = Bench(policy: policy)
        bench.talk()
        bench.forget()
        return bench
    }

    /// The first call held, a second dialled and answered.
    private static func consulting(_ key: Key, _ policy: PhonePolicy = Sample.policy) -> Bench {
        var bench = talking(policy)
        bench.press(key)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.type("5550101#")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.offerSent(Sample.dialled))
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        return bench
    }

    /// The first call after a blind transfer by keys that the far end accepted.
    private static func transferring() -> Bench {
        var bench = Self.talking()
        bench.press(.transfer)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.type("5550101")
        bench.press(.transfer)
        bench.line(.transferSettled(Sample.first, accepted: true))
        return bench
    }

    // MARK: Transfer

    @Test func blindByKeys() {
        var bench = Self.talking()
        bench.press(.transfer)
        #expect(bench.machine.snapshot.tone == .dial)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.type("5550101")
        bench.press(.transfer)
        #expect(bench.did(.transfer(Sample.first, to: "5550101")))
        bench.line(.transferSettled(Sample.first, accepted: true))
        #expect(bench.phase() == .onHold, "it is not known yet what comes of it")
        bench.line(.transferred(Sample.first, succeeded: true))
        #expect(bench.did(.end(Sample.first)))
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.ends == [.transferred])
    }

    @Test func attendedByKeys() {
        var bench = Self.consulting(.transfer)
        bench.press(.transfer)
        #expect(bench.did(.connect(Sample.first, Sample.dialled)))
        bench.line(.transferSettled(Sample.first, accepted: true))
        bench.line(.transferred(Sample.first, succeeded: true))
        #expect(bench.phase() == .disconnecting)
        #expect(bench.phase(Sample.dialled) == .disconnecting)
    }

    @Test func transferToRingingCallIsBlind() {
        var bench = Self.talking()
        bench.press(.transfer)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.type("5550101#")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.offerSent(Sample.dialled))
        bench.press(.transfer)
        #expect(bench.did(.end(Sample.dialled)))
        #expect(bench.did(.transfer(Sample.first, to: "5550101")))
    }

    @Test func secondPressOfTransferKeyDoesNothing() {
        var bench = Self.talking()
        bench.press(.transfer)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.press(.transfer)
        #expect(bench.did(.hold(Sample.first, false)))
        #expect(bench.machine.snapshot.tone == nil)
    }

    @Test func refusedTransferKeepsCalls() {
        var bench = Self.talking()
        #expect(bench.ask(.transfer(nil, to: "5550101")) == nil)
        #expect(bench.ask(.transfer(nil, to: "5550102")) == .failed(.alreadyUnderWay))
        bench.line(.transferSettled(Sample.first, accepted: false))
        #expect(bench.outcome(of: 1) == .failed(.refusedThere))
        #expect(bench.phase() == .active)
        bench.line(.transferSettled(Sample.first, accepted: true))
        #expect(bench.phase() == .active, "that was answered already")
        #expect(bench.ask(.transfer(nil, to: "5550103")) == nil, "another one may be tried")
        #expect(bench.did(.transfer(Sample.first, to: "5550103")))
    }

    @Test func failedTransferRestoresCall() {
        var bench = Self.transferring()
        #expect(bench.panelOutcomes.last == .fulfilled)
        bench.line(.transferred(Sample.first, succeeded: false))
        #expect(bench.machine.snapshot.tone == nil, "digits are not awaited any more")
        #expect(bench.did(.hold(Sample.first, false)))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
        #expect(bench.ask(.transfer(nil, to: "5550102")) == nil, "another one may be tried")
    }

    @Test func failedTransferInterruptsNoOtherCall() {
        var bench = Self.transferring()
        bench.offer(Sample.second)
        bench.ask(.answer(Sample.second))
        bench.connect(Sample.second)
        bench.line(.transferred(Sample.first, succeeded: false))
        #expect(bench.phase() == .onHold && bench.phase(Sample.second) == .active)
        #expect(!bench.did(.hold(Sample.first, false)) && !bench.did(.hold(Sample.second, true)))
    }

    @Test func hangUpByTransferredFarEndEndsAsTransferred() {
        var bench = Self.talking()
        bench.ask(.transfer(nil, to: "5550101"))
        bench.line(.transferSettled(Sample.first, accepted: true))
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.ends == [.transferred])
    }

    @Test func hangUpDuringTransferCountsAsTransferred() {
        var bench = Self.talking()
        bench.ask(.transfer(nil, to: "5550101"))
        bench.line(.transferSettled(Sample.first, accepted: true))
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.ends == [.transferred])
    }

    @Test func transferTargetMayHangUpFirst() {
        var bench = Self.consulting(.transfer)
        bench.press(.transfer)
        bench.line(.transferSettled(Sample.first, accepted: true))
        bench.line(.ended(Sample.dialled, .hungUpThere))
        bench.line(.transferred(Sample.first, succeeded: true))
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.ends == [.transferred, .transferred])
    }

    @Test func attendedTransferNeedsSameAccount() {
        var bench = Self.talking()
        bench.line(.offered(CallID(.line(AccountID(1)), 1), Caller(number: "5550133", account: AccountID(1))))
        let other = CallID(.line(AccountID(1)), 1)
        #expect(bench.ask(.connect(Sample.first, other)) == .failed(.notSupported))
    }

    @Test func lateTransferAnswerCounts() {
        var bench = Self.talking()
        bench.ask(.transfer(nil, to: "5550101"))
        bench.run(.seconds(2))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(bench.ask(.transfer(nil, to: "5550102")) == .failed(.alreadyUnderWay))
        bench.line(.transferSettled(Sample.first, accepted: true))
        bench.line(.transferred(Sample.first, succeeded: true))
        #expect(bench.did(.end(Sample.first)))
    }

    @Test func transferTimesOutAfterTwoSeconds() {
        var bench = Self.consulting(.transfer)
        bench.ask(.connect(Sample.first, Sample.dialled))
        bench.run(.seconds(2))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        bench.line(.transferSettled(Sample.first, accepted: true))
        #expect(bench.phase() == .onHold)
        #expect(bench.phase(Sample.dialled) == .active)
    }

    @Test func transferInWrongStateIsRejected() {
        var bench = Self.talking()
        #expect(bench.ask(.transfer(nil, to: "x")) == .failed(.invalidTarget))
        #expect(bench.ask(.transfer(Sample.second, to: "5550101")) == .failed(.noSuchCall))
        #expect(bench.ask(.connect(Sample.first, Sample.first)) == .failed(.noSuchCall))
        bench.offer(Sample.second)
        #expect(bench.ask(.connect(Sample.first, Sample.second)) == .failed(.wrongState))
        #expect(bench.ask(.transfer(Sample.second, to: "5550101")) == .failed(.wrongState))
    }

    // MARK: Consultation

    @Test func busyConsultationRestoresFirstCall() {
        var bench = Self.talking()
        bench.press(.transfer)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.type("5550101#")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.ended(Sample.dialled, .busyThere))
        #expect(bench.machine.snapshot.tone == .busy)
        bench.run(.seconds(5))
        #expect(bench.machine.snapshot.tone == nil)
        #expect(bench.phase() == .onHold)
        bench.press(.hold)
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
    }

    @Test func consultationOnSpeakerContinuesAtHandset() {
        var bench = Self.talking()
        bench.press(.speaker)
        bench.replace()
        bench.press(.transfer)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.type("555")
        bench.lift()
        #expect(bench.machine.snapshot.digits == "555")
    }

    @Test func failedHoldRestoresAudio() {
        var bench = Self.talking()
        bench.press(.transfer)
        bench.line(.holdSettled(Sample.first, nil))
        #expect(bench.phase() == .active)
        #expect(bench.machine.snapshot.tone == nil)
    }

    @Test func consultationWithoutDialingEndsAfterThirtySeconds() {
        var bench = Self.talking()
        bench.press(.transfer)
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.run(.seconds(30))
        #expect(bench.machine.snapshot.tone == nil)
        #expect(bench.phase() == .onHold)
    }

    @Test func consultationIsRefusedWithoutRoom() {
        var policy = Sample.policy
        policy.maximumCalls = 1
        var bench = Self.talking(policy)
        bench.press(.transfer)
        #expect(bench.phase() == .active)
        #expect(!bench.did(.hold(Sample.first, true)))
    }

    // MARK: Conference

    private static func conferring() -> Bench {
        var bench = consulting(.conference)
        bench.press(.conference)
        bench.line(.holdSettled(Sample.first, Sample.plan))
        return bench
    }

    @Test func conferenceJoinsBothCalls() {
        let bench = Self.conferring()
        #expect(bench.machine.snapshot.conference)
        #expect(bench.did(.conference(Sample.first, joined: true)))
        #expect(bench.did(.conference(Sample.dialled, joined: true)))
        #expect(bench.phase() == .active)
        #expect(bench.phase(Sample.dialled) == .active)
        #expect(!bench.did(.hold(Sample.dialled, true)), "no call is held for it")
    }

    @Test func conferenceSurvivesLossOfOneCall() {
        var bench = Self.conferring()
        bench.line(.ended(Sample.dialled, .hungUpThere))
        #expect(!bench.machine.snapshot.conference)
        #expect(bench.did(.conference(Sample.first, joined: false)))
        #expect(bench.phase() == .active)
    }

    @Test func replacingHandsetEndsBothCalls() {
        var bench = Self.conferring()
        bench.replace()
        #expect(bench.did(.end(Sample.first)))
        #expect(bench.did(.end(Sample.dialled)))
    }

    @Test func heldCallLeavesConference() {
        var bench = Self.conferring()
        bench.ask(.hold(Sample.first))
        #expect(bench.machine.snapshot.conference, "until the far end agrees")
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(!bench.machine.snapshot.conference)
        #expect(bench.phase(Sample.dialled) == .active)
    }

    /// Nothing leaks while a hold is negotiated, not even the other call's voice.
    @Test(arguments: [true, false]) func callBeingHeldHearsNobody(agrees: Bool) {
        var bench = Self.conferring()
        bench.forget()
        bench.ask(.hold(Sample.first))
        #expect(bench.did(.conference(Sample.first, joined: false)))
        #expect(bench.did(.microphone(Sample.first, open: false)))
        #expect(!bench.did(.conference(Sample.dialled, joined: false)))
        bench.forget()
        bench.line(.holdSettled(Sample.first, agrees ? Sample.heldPlan : nil))
        #expect(bench.did(.conference(Sample.first, joined: true)) != agrees)
        #expect(bench.did(.conference(Sample.dialled, joined: false)) == agrees)
        #expect(bench.machine.snapshot.conference != agrees)
    }

    @Test func failedResumeStartsNoConference() {
        var bench = Self.consulting(.conference)
        #expect(bench.ask(.conference) == .fulfilled)
        bench.line(.holdSettled(Sample.first, nil))
        #expect(!bench.machine.snapshot.conference)
        #expect(bench.phase(Sample.dialled) == .active)
    }

    @Test func hangingUpOneCallKeepsTheOther() {
        var bench = Self.conferring()
        bench.forget()
        bench.ask(.hangUp(Sample.first))
        #expect(bench.did(.release(Sample.first)) && bench.did(.conference(Sample.dialled, joined: false)))
        #expect(bench.phase(Sample.dialled) == .active)
        #expect(!bench.did(.microphone(Sample.dialled, open: false)), "the other call continues unchanged")
        #expect(!bench.did(.hold(Sample.dialled, true)))
    }

    /// There is one microphone: a muted person is heard by nobody.
    @Test(arguments: [true, false]) func muteAppliesToConference(byKey: Bool) {
        var bench = Self.conferring()
        for muted in [true, false] {
            bench.forget()
            if byKey { bench.press(.mute) } else { bench.ask(.mute(muted)) }
            #expect(bench.machine.snapshot.muted == muted)
            #expect(bench.did(.microphone(Sample.first, open: !muted)))
            #expect(bench.did(.microphone(Sample.dialled, open: !muted)))
        }
    }

    @Test func mutedCallStaysMutedInConference() {
        var bench = Self.consulting(.conference)
        bench.ask(.mute(true))
        bench.forget()
        bench.press(.conference)
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.machine.snapshot.conference && bench.machine.snapshot.muted)
        #expect(!bench.did(.microphone(Sample.first, open: true)))
    }

    @Test func refusedHoldMutesConference() {
        var bench = Self.conferring()
        bench.ask(.hold(Sample.first))
        bench.forget()
        bench.line(.holdSettled(Sample.first, nil))
        #expect(bench.machine.snapshot.conference && bench.machine.snapshot.muted)
        #expect(bench.did(.microphone(Sample.dialled, open: false)))
    }

    @Test func digitsGoToNamedCall() {
        var bench = Self.conferring()
        bench.ask(.dtmf(Sample.dialled, [.symbol(.five)]))
        #expect(bench.did(.dtmf(Sample.dialled, [.symbol(.five)], inBand: false)))
        #expect(!bench.did(.dtmf(Sample.first, [.symbol(.five)], inBand: false)))
    }

    @Test func conferenceNeedsTwoCallsAndMixer() {
        var policy = Sample.policy
        policy.mixesCalls = false
        var plain = Self.consulting(.transfer, policy)
        #expect(plain.ask(.conference) == .failed(.notSupported))
        plain.press(.conference)
        #expect(!plain.machine.snapshot.conference)
        var bench = Self.talking()
        #expect(bench.ask(.conference) == .failed(.wrongState))
        var joined = Self.conferring()
        #expect(joined.ask(.conference) == .failed(.alreadyUnderWay))
    }
}
