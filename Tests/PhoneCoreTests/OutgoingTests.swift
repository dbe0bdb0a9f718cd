import Base
import PhoneCore
import Testing

@Suite("Outgoing calls")
struct OutgoingTests {
    @Test func startTimesOutAfterFiveSeconds() {
        var bench = Bench()
        #expect(bench.ask(.dial("5550100", account: nil)) == nil)
        bench.run(.milliseconds(4_999))
        #expect(bench.outcome(of: 1) == nil)
        bench.run(.milliseconds(1))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
    }

    @Test func dialTonePlaysUntilFirstDigit() {
        var bench = Bench()
        bench.lift()
        #expect(bench.machine.snapshot.tone == .dial)
        bench.type("5")
        #expect(bench.machine.snapshot.tone == nil)
        #expect(bench.did(.keyClick(.five)))
        #expect(bench.machine.snapshot.digits == "5")
    }

    @Test func poundKeyDials() {
        var bench = Bench()
        bench.lift()
        bench.type("5550100#")
        #expect(bench.phase(Sample.dialled) == .ringingOut)
        #expect(bench.summary(Sample.dialled)?.number == "5550100")
        #expect(bench.did(.open(Sample.dialled, .direct)))
        #expect(bench.machine.snapshot.digits.isEmpty)
    }

    @Test func fourSecondsOfSilenceDial() {
        var bench = Bench()
        bench.lift()
        bench.type("555")
        bench.run(.milliseconds(3_999))
        bench.type("0")
        bench.run(.milliseconds(3_999))
        #expect(bench.phase(Sample.dialled) == nil)
        bench.run(.milliseconds(1))
        #expect(bench.summary(Sample.dialled)?.number == "5550")
    }

    @Test func offerLeavesWhenSocketsAreOpen() {
        var bench = Bench()
        bench.ask(.dial("+1 (555) 01-00", account: nil))
        #expect(bench.phase(Sample.dialled) == .ringingOut)
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(bench.did(.dial(Sample.dialled, target: "+15550100", account: .direct, Sample.endpoint)))
        #expect(bench.outcome(of: 1) == nil)
        bench.line(.offerSent(Sample.dialled))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.machine.snapshot.tone == nil)
    }

    @Test func usesNamedOrDefaultAccount() {
        var policy = Sample.policy
        policy.defaultAccount = AccountID(7)
        for (named, used) in [(nil, AccountID(7)), (AccountID(9), AccountID(9))] {
            var bench = Bench(policy: policy)
            bench.line(.registration(used, .registered))
            bench.ask(.dial("5550100", account: named))
            bench.media(.opened(Sample.dialled, Sample.endpoint))
            #expect(bench.did(.dial(Sample.dialled, target: "5550100", account: used, Sample.endpoint)))
        }
    }

    @Test func callerIdentityReachesLine() {
        let headers = [CallHeader("X-Ticket", "7")].compactMap(\.self)
        let shown = CallPresentation(callerName: "Front desk", headers: headers)
        var bench = Bench()
        bench.ask(.dial("5550100", account: nil, presentation: shown))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(
            bench.did(
                .dial(
                    Sample.dialled, target: "5550100", account: .direct, Sample.endpoint, presentation: shown)))
    }

    @Test func ringbackPlaysWhileFarEndRings() {
        var bench = Bench()
        bench.dial()
        #expect(bench.machine.snapshot.tone == .ringback)
        bench.line(.answered(Sample.dialled, Sample.plan))
        #expect(bench.phase(Sample.dialled) == .connecting)
        #expect(bench.machine.snapshot.tone == nil)
        bench.media(.ready(Sample.dialled))
        #expect(bench.phase(Sample.dialled) == .active)
        #expect(bench.times(.activate(Sample.dialled)) == 1)
    }

    @Test func earlyMediaReplacesRingbackOnce() {
        var bench = Bench()
        bench.dial()
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        #expect(bench.machine.snapshot.tone == .ringback)
        bench.media(.ready(Sample.dialled))
        bench.media(.firstVoice(Sample.dialled))
        #expect(bench.machine.snapshot.tone == nil)
        #expect(bench.times(.activate(Sample.dialled)) == 1)
        #expect(bench.did(.microphone(Sample.dialled, open: false)), "they have not answered")
        bench.forget()
        bench.line(.answered(Sample.dialled, Sample.plan))
        #expect(bench.phase(Sample.dialled) == .active)
        #expect(bench.times(.activate(Sample.dialled)) == 0)
        #expect(bench.did(.microphone(Sample.dialled, open: true)))
        #expect(bench.summary(Sample.dialled)?.answered != nil)
    }

    @Test func answerOvertakesEarlyMedia() {
        var bench = Bench()
        bench.dial()
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        let moved = Sample.plan(port: 6_000)
        bench.line(.answered(Sample.dialled, moved))
        #expect(bench.phase(Sample.dialled) == .connecting)
        #expect(bench.did(.update(Sample.dialled, moved)))
        bench.media(.ready(Sample.dialled))
        #expect(bench.phase(Sample.dialled) == .active)
    }

    @Test func earlyMediaFollowsNewTerms() {
        var bench = Bench()
        bench.dial()
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        #expect(bench.times(.connect(Sample.dialled, Sample.plan)) == 1)
        #expect(bench.times(.update(Sample.dialled, Sample.plan)) == 0, "said twice it is no change")
        bench.media(.ready(Sample.dialled))
        let moved = Sample.plan(port: 6_000)
        bench.line(.earlyMedia(Sample.dialled, moved))
        #expect(bench.times(.update(Sample.dialled, moved)) == 1)
    }

    @Test func answerCompletesUnreportedOffer() {
        var bench = Bench()
        bench.ask(.dial("5550100", account: nil))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.answered(Sample.dialled, Sample.plan))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.phase(Sample.dialled) == .connecting)
    }

    @Test func unansweredCallEnds() {
        var bench = Bench()
        bench.dial()
        bench.run(.milliseconds(29_999))
        #expect(bench.phase(Sample.dialled) == .ringingOut)
        bench.run(.milliseconds(1))
        #expect(bench.did(.end(Sample.dialled)))
        #expect(bench.machine.snapshot.tone == .congestion)
        bench.line(.ended(Sample.dialled, .noAnswer))
        #expect(bench.ends == [.noAnswer])
    }

    @Test func cradleCancelsCall() {
        var bench = Bench()
        bench.dial()
        bench.replace()
        #expect(bench.did(.end(Sample.dialled)))
        #expect(bench.machine.snapshot.tone == nil)
        bench.line(.ended(Sample.dialled, .hungUpHere))
        #expect(bench.ends == [.hungUpHere])
    }

    @Test func cancelBeforeOfferNeedsNoBYE() {
        var bench = Bench()
        bench.ask(.dial("5550100", account: nil))
        bench.ask(.hangUp(nil))
        #expect(bench.outcome(of: 1) == .failed(.callEnded(.hungUpHere)))
        #expect(bench.outcome(of: 2) == .fulfilled)
        #expect(!bench.did(.end(Sample.dialled)))
        #expect(bench.ends == [.hungUpHere])
    }

    @Test func unavailableLineFailsStartAfterFiveSeconds() {
        var bench = Bench()
        bench.line(.registration(.direct, .registering))
        bench.lift()
        bench.type("5550100#")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.run(.seconds(5))
        #expect(bench.panelOutcomes == [.failed(.lineNotReady)])
        #expect(bench.ends == [.lineNotReady])
        #expect(bench.machine.snapshot.tone == .congestion)
    }

    @Test func unsentOfferFailsStart() {
        var bench = Bench()
        bench.ask(.dial("5550100", account: nil))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.run(.seconds(5))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(bench.did(.end(Sample.dialled, because: .timedOut)))
    }

    @Test func unopenedSocketsFailStart() {
        var bench = Bench()
        bench.ask(.dial("5550100", account: nil))
        bench.run(.seconds(5))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(bench.ends == [.mediaFailed])
    }

    @Test func unreadyMediaEndsCall() {
        var bench = Bench()
        bench.dial()
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.run(.seconds(7))
        #expect(bench.ends == [.mediaFailed])
    }

    @Test(arguments: [
        (EndReason.busyThere, Tone.busy), (.declinedThere, .busy), (.rejected(486), .busy), (.rejected(600), .busy),
        (.rejected(603), .busy), (.rejected(404), .specialInformation), (.rejected(410), .specialInformation),
        (.rejected(484), .specialInformation), (.rejected(604), .specialInformation), (.rejected(503), .congestion),
        (.unreachable, .congestion), (.incompatible, .congestion),
    ])
    func failurePlaysTone(_ reason: EndReason, _ tone: Tone) {
        var bench = Bench()
        bench.dial()
        bench.line(.ended(Sample.dialled, reason))
        #expect(bench.machine.snapshot.tone == tone)
        #expect(bench.ends == [reason])
        bench.replace()
        #expect(bench.machine.snapshot.tone == nil)
    }

    @Test func redialDialsLastNumber() {
        var bench = Bench()
        bench.press(.redial)
        #expect(bench.machine.snapshot.calls.isEmpty)
        bench.dial()
        bench.replace()
        bench.line(.ended(Sample.dialled, .hungUpHere))
        bench.press(.redial)
        #expect(bench.summary(CallID(.phone, 2))?.number == "5550100")
        #expect(bench.machine.snapshot.route == .speaker)
        bench.press(.speaker)
        #expect(bench.phase(CallID(.phone, 2)) == nil)
        bench.lift()
        bench.press(.redial)
        #expect(bench.summary(CallID(.phone, 3))?.number == "5550100")
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test(arguments: [
        ("12", false), ("123", true), ("112", true), ("12a", false), ("", false), ("*21*555#", true),
        ("+49 (30) 12-34.56/7", true), (String(repeating: "1", count: 32), true),
        (String(repeating: "1", count: 33), false), ("sip:ada@example.org", true), ("SIPS:ada@example.org;x=1", true),
        ("sip:", false), ("sip:a b@c", false), ("sip:a\r\nEvil: 1", false), ("sip:<a@b>", false),
        ("sip:" + String(repeating: "a", count: 253), false), ("tel:123", false), ("١٢٣", false),
    ])
    func numbersAreValidated(_ text: String, _ isValid: Bool) {
        var bench = Bench()
        let outcome = bench.ask(.dial(text, account: nil))
        #expect(outcome == (isValid ? nil : .failed(.invalidTarget)))
        #expect(bench.machine.snapshot.calls.count == (isValid ? 1 : 0))
    }

    @Test func shortNumbersDependOnPolicy() {
        var policy = Sample.policy
        policy.shortNumbers = ["0"]
        var bench = Bench(policy: policy)
        #expect(bench.ask(.dial("0", account: nil)) == nil)
        #expect(bench.machine.snapshot.calls.count == 1)
    }

    @Test func invalidNumberPlaysTone() {
        var bench = Bench()
        bench.lift()
        bench.type("12#")
        #expect(bench.machine.snapshot.tone == .specialInformation)
        #expect(bench.panelOutcomes == [.failed(.invalidTarget)])
    }

    @Test func digitCountIsLimited() {
        var bench = Bench()
        bench.lift()
        bench.type(String(repeating: "1", count: 40))
        #expect(bench.machine.snapshot.digits.count == 32)
        bench.type("AD")
        #expect(bench.machine.snapshot.digits.count == 32)
    }

    @Test func leadingPoundIsDigit() {
        var bench = Bench()
        bench.lift()
        bench.type("#31A#")
        #expect(bench.summary(Sample.dialled)?.number == "#31")
    }
}
