import Base
import PhoneCore
import Testing

/// A far end cannot make the phone call somebody at the account's cost.
@Suite("Transfer requests of far ends")
struct ConsentTests {
    private static let target = "5550144"

    /// Far ends may ask; the allow list is empty.
    private static var asking: PhonePolicy {
        var policy = Sample.policy
        policy.transferTargets = nil
        return policy
    }

    private static func asked(_ target: String = target, _ policy: PhonePolicy = asking) -> Bench {
        var bench = Bench(policy: policy)
        bench.talk()
        bench.forget()
        bench.line(.referred(Sample.first, to: target))
        return bench
    }

    private static func isCalling(_ bench: Bench) -> Bool {
        bench.log.contains { effect in
            switch effect {
            case .line(.follow), .line(.dial), .line(.redirect(_, true)): true
            default: false
            }
        }
    }

    @Test func transferRequestsAreDeclinedByDefault() {
        var bench = Self.asked(Self.target, PhonePolicy())
        #expect(bench.did(.declineReferral(Sample.first)))
        #expect(bench.machine.snapshot.calls.count == 1)
        bench.line(.redirected(Sample.first, to: Self.target))
        #expect(!Self.isCalling(bench))
    }

    @Test func transferRequestWaitsForConsent() throws {
        let bench = Self.asked()
        let question = try #require(bench.summary()?.question)
        #expect(question.target == Self.target && question.cause == .transfer)
        #expect(
            bench.log.contains { if case .control(.notice(.transferAsked(_, question))) = $0 { true } else { false } })
        #expect(bench.lamp(.line) == .fastBlink && bench.machine.snapshot.tone == .callWaiting)
        #expect(bench.machine.snapshot.calls.count == 1 && !bench.did(.declineReferral(Sample.first)))
    }

    @Test func consentPlacesCall() {
        for byKey in [true, false] {
            var bench = Self.asked()
            if byKey { bench.press(.transfer) } else { #expect(bench.ask(.acceptTransfer(nil)) == .fulfilled) }
            #expect(bench.summary(Sample.dialled)?.number == Self.target)
            #expect(bench.summary()?.question == nil && bench.lamp(.line) == .on)
            bench.media(.opened(Sample.dialled, Sample.endpoint))
            bench.line(.holdSettled(Sample.first, Sample.heldPlan))
            #expect(bench.did(.follow(Sample.dialled, after: Sample.first, account: .direct, Sample.endpoint)))
        }
    }

    @Test func declinedOrUnansweredRequestPlacesNoCall() {
        var declined = Self.asked()
        #expect(declined.ask(.declineTransfer(Sample.first)) == .fulfilled)
        #expect(declined.did(.declineReferral(Sample.first)) && declined.phase() == .active)
        #expect(declined.ask(.acceptTransfer(nil)) == .failed(.noSuchCall))
        #expect(declined.ask(.acceptTransfer(Sample.first)) == .failed(.wrongState))
        var silent = Self.asked()
        silent.run(.seconds(20) - .nanoseconds(1))
        #expect(!silent.did(.declineReferral(Sample.first)))
        silent.run(.nanoseconds(1))
        #expect(silent.did(.declineReferral(Sample.first)) && silent.machine.snapshot.calls.count == 1)
    }

    /// The attack: an automatically answered caller requests a call to an expensive number.
    @Test func unansweredCallMayNotRequestTransfer() {
        var policy = Sample.policy
        policy.autoAnswer.callers = [ListedCaller("+15550100")]
        policy.autoAnswer.onlyWhenAsked = false
        var bench = Bench(policy: policy)
        bench.network(Sample.home)
        bench.offer()
        bench.connect()
        #expect(bench.phase() == .active)
        bench.line(.referred(Sample.first, to: Self.target))
        #expect(bench.did(.declineReferral(Sample.first)), "though the number is on the list")
        #expect(bench.machine.snapshot.calls.count == 1 && bench.summary()?.question == nil)
        // Nor for the replacing call.
        bench.line(.offered(Sample.second, Caller(number: "5550155", account: .direct, replaces: Sample.first)))
        bench.media(.opened(Sample.second, Sample.endpoint))
        bench.connect(Sample.second)
        #expect(bench.phase(Sample.second) == .active)
        bench.line(.referred(Sample.second, to: Self.target))
        #expect(bench.did(.declineReferral(Sample.second)))
    }

    @Test(
        "the allow list permits numbers, but no addresses",
        arguments: [
            ("5550144", true), ("009001234567", false), ("sip:5550144@other.example", false), ("55", false),
            ("", false),
            ("5550144;x=y", false), ("+5550144", false),
        ])
    func allowListPermitsNumbersOnly(target: String, isListed: Bool) {
        let bench = Self.asked(target, Sample.policy)
        #expect((bench.summary()?.question == nil) == isListed)
        #expect((bench.summary(Sample.dialled) != nil) == isListed)
    }

    @Test func asksOneQuestionAtATime() {
        var bench = Self.asked()
        bench.line(.referred(Sample.first, to: "5550199"))
        #expect(bench.did(.declineReferral(Sample.first)))
        #expect(bench.summary()?.question?.target == Self.target)
    }

    @Test func questionEndsWithItsCall() {
        var bench = Self.asked()
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.ask(.acceptTransfer(nil)) == .failed(.noSuchCall))
        #expect(bench.lamp(.line) != .fastBlink)
    }

    // MARK: Redirected calls

    private static func redirected(_ policy: PhonePolicy = asking) -> Bench {
        var bench = Bench(policy: policy)
        bench.dial()
        bench.forget()
        bench.line(.redirected(Sample.dialled, to: target))
        return bench
    }

    @Test func redirectAsksForConsent() {
        var bench = Self.redirected()
        #expect(bench.summary(Sample.dialled)?.question?.cause == .redirection)
        #expect(!Self.isCalling(bench))
        bench.run(.seconds(15))
        bench.press(.transfer)
        #expect(bench.did(.redirect(Sample.dialled, true)))
        bench.run(.seconds(29))
        #expect(bench.phase(Sample.dialled) == .ringingOut, "the one that is called now has the whole time")
        bench.line(.redirected(Sample.dialled, to: "5550145"))
        #expect(bench.summary(Sample.dialled)?.question?.target == "5550145", "each address is asked about")
    }

    @Test func declinedRedirectEndsWithOriginalStatus() {
        var bench = Self.redirected()
        bench.run(.seconds(20))
        #expect(bench.did(.redirect(Sample.dialled, false)))
        bench.line(.ended(Sample.dialled, .rejected(302)))
        #expect(bench.ends == [.rejected(302)])
    }

    @Test func listedNumberIsCalledWithoutConsent() {
        #expect(Self.redirected(Sample.policy).did(.redirect(Sample.dialled, true)))
    }
}
