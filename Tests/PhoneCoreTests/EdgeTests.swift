import Base
import PhoneCore
import Testing

/// What the mutation check found unwatched.
@Suite("Edges")
struct EdgeTests {
    private static let other = Sample.plan(port: 9_000)

    private static func placing() -> Bench {
        var bench = Bench()
        bench.network(Sample.home)
        bench.lift()
        bench.type("5550100#")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        return bench
    }

    @Test func earlyMediaSaysThatTheOfferLeft() {
        var bench = Self.placing()
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        #expect(bench.did(.connect(Sample.dialled, Sample.plan)))
        #expect(bench.panelOutcomes == [.fulfilled])
        bench.line(.earlyMedia(Sample.dialled, Self.other))
        #expect(bench.did(.update(Sample.dialled, Self.other)), "it moves before it sounds, too")
    }

    @Test func anAnswerOnOtherTermsIsPassedOn() {
        for plan in [Sample.plan, Self.other] {
            var bench = Self.placing()
            bench.line(.earlyMedia(Sample.dialled, Sample.plan))
            bench.forget()
            bench.line(.answered(Sample.dialled, plan))
            #expect(bench.did(.update(Sample.dialled, plan)) == (plan == Self.other))
            #expect(bench.phase(Sample.dialled) == .connecting)
        }
    }

    @Test func anAnswerAfterEarlyMediaMeetsThePathAsItIs() {
        var bench = Self.placing()
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        bench.network(NetworkPath(.wifi, addresses: ["198.51.100.7"]))
        bench.run(.milliseconds(600))
        bench.line(.answered(Sample.dialled, Sample.plan))
        #expect(bench.phase(Sample.dialled) == .reconnecting)
        #expect(bench.did(.move(Sample.dialled)))
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
