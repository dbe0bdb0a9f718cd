import Base
import PhoneCore
import Testing

/// What the mutation check found unwatched.
@Suite("Edges")
struct EdgeTests {
    private static let other = Sample.plan(port: 9_000)

    private static func dialling() -> Bench {
        var bench = Bench()
        bench.network(Sample.home)
        bench.lift()
        bench.type("5550100#")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        return bench
    }

    @Test func earlyMediaSaysThatTheOfferLeft() {
        var bench = Self.dialling()
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        #expect(bench.did(.connect(Sample.dialled, Sample.plan)))
        #expect(bench.panelOutcomes == [.fulfilled])
        bench.line(.earlyMedia(Sample.dialled, Self.other))
        #expect(bench.did(.update(Sample.dialled, Self.other)), "it moves before it sounds, too")
    }

    @Test func anAnswerOnOtherTermsIsPassedOn() {
        for plan in [Sample.plan, Self.other] {
            var bench = Self.dialling()
            bench.line(.earlyMedia(Sample.dialled, Sample.plan))
            bench.forget()
            bench.line(.answered(Sample.dialled, plan))
            #expect(bench.did(.update(Sample.dialled, plan)) == (plan == Self.other))
            #expect(bench.phase(Sample.dialled) == .connecting)
        }
    }

    @Test func anAnswerAfterEarlyMediaMeetsThePathAsItIs() {
        var bench = Self.dialling()
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        bench.network(NetworkPath(.wifi, addresses: ["198.51.100.7"]))
        bench.run(.milliseconds(600))
        bench.line(.answered(Sample.dialled, Sample.plan))
        #expect(bench.phase(Sample.dialled) == .reconnecting)
        #expect(bench.did(.move(Sample.dialled, nil)))
    }

    @Test(arguments: [(.hungUpThere, .ended), (.unreachable, .failed)] as [(EndReason, CallSummary.Phase)])
    func anEndIsAnEndAndAFailureAFailure(_ reason: EndReason, _ phase: CallSummary.Phase) {
        var bench = Bench()
        bench.talk()
        bench.line(.ended(Sample.first, reason))
        let phases = bench.log.compactMap {
            if case .control(.notice(.callEnded(let summary, _))) = $0 { summary.phase } else { nil }
        }
        #expect(phases == [phase])
    }

    @Test func whoIsDialledHasAName() {
        var bench = Bench()
        bench.post(.vault(.contacts([Contact(name: "Ada Lovelace", number: "5550100")])))
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.summary(Sample.dialled)?.name == "Ada Lovelace")
    }

    @Test func watchersHearOfTheBell() {
        var bench = Bench()
        bench.offer()
        #expect(bench.noticed(.ringerChanged(on: true)))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.noticed(.ringerChanged(on: false)))
    }

    @Test func aLineKeyOfACallThatIsUpMeansNothing() {
        var policy = Sample.policy
        policy.lineKeys = [.direct]
        var bench = Bench(policy: policy)
        bench.talk()
        bench.forget()
        bench.press(.line(1))
        #expect(bench.log == [.control(.notice(.keyPressed(.line(1))))])
    }

    /// Nobody has the ear at the phone: at the handset that lies beside it, else aloud.
    @Test(arguments: [(HookPosition.offHook, Route.handset), (.onHook, .speaker)])
    func aLineKeyAnswersWhereSomebodyMayBe(_ hook: HookPosition, _ route: Route) {
        var policy = Sample.policy
        policy.lineKeys = [.direct]
        policy.defaultRoute = .headset
        var bench = Bench(policy: policy)
        bench.post(.panel(.hookFound(hook)))
        bench.offer()
        bench.press(.line(1))
        #expect(bench.phase() == .connecting)
        #expect(bench.machine.snapshot.route == route)
    }

    /// What was put aside by hand, and not in order to dial, is taken back by hand.
    @Test func aCallThatWasHeldByHandStaysHeld() {
        var policy = Sample.policy
        policy.speedDials = [1: SpeedDial(["5550101"])]
        var bench = Bench(policy: policy)
        bench.talk()
        bench.holdFirst()
        bench.press(.speedDial(1))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.offerSent(Sample.dialled))
        bench.line(.ended(Sample.dialled, .busyThere))
        #expect(!bench.did(.hold(Sample.first, false)))
        #expect(bench.phase() == .onHold)
    }

    @Test func aDeviceThatNobodyUsesMayGo() {
        var bench = Bench()
        bench.talk()
        bench.press(.headset)
        bench.press(.speaker)
        bench.media(.deviceLost(.bluetooth, "gone"))
        #expect(bench.machine.snapshot.route == .speaker)
        #expect(bench.noticed(.trouble("gone")))
    }

    @Test(arguments: [(256, true), (257, false)]) func anAddressHasAtMost256Bytes(_ bytes: Int, _ isDialled: Bool) {
        var bench = Bench()
        let domain = "@example.org"
        let address = "sip:" + String(repeating: "a", count: bytes - 4 - domain.count) + domain
        #expect((bench.ask(.dial(address, account: nil)) == .failed(.invalidTarget)) != isDialled)
    }

    @Test func aLineKeyAnswersWhereThePersonIs() {
        var policy = Sample.policy
        policy.lineKeys = [.direct]
        var bench = Bench(policy: policy)
        bench.offer()
        bench.press(.headset)
        bench.connect()
        bench.offer(Sample.second)
        bench.press(.line(1))
        #expect(bench.phase(Sample.second) == .connecting)
        #expect(bench.machine.snapshot.route == .headset)
    }

    /// Eight names of a call are believed, and not one more: a backend that gives hundreds is one that lies.
    @Test(arguments: [(8, 1), (9, 2)])
    func eightNamesOfACallAreBelieved(position: Int, calls: Int) {
        var policy = Sample.policy
        policy.maximumCalls = 4
        var bench = Bench(policy: policy)
        let names = (1...9).map { "name \($0)" }
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(names))))
        let known = Caller(number: "", account: .direct, ids: [names[position - 1]])
        bench.line(.offered(Sample.first, known))
        #expect(bench.machine.snapshot.calls.count == calls)
    }
}
