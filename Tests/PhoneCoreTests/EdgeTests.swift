import Base
import PhoneCore
import Testing

/// Cases that mutation testing found untested.
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

    @Test func earlyMediaProvesThatOfferLeft() {
        var bench = Self.dialling()
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        #expect(bench.did(.connect(Sample.dialled, Sample.plan)))
        #expect(bench.panelOutcomes == [.fulfilled])
        bench.line(.earlyMedia(Sample.dialled, Self.other))
        #expect(bench.did(.update(Sample.dialled, Self.other)), "it moves before it sounds, too")
    }

    @Test func answerWithOtherTermsUpdatesMedia() {
        for plan in [Sample.plan, Self.other] {
            var bench = Self.dialling()
            bench.line(.earlyMedia(Sample.dialled, Sample.plan))
            bench.forget()
            bench.line(.answered(Sample.dialled, plan))
            #expect(bench.did(.update(Sample.dialled, plan)) == (plan == Self.other))
            #expect(bench.phase(Sample.dialled) == .connecting)
        }
    }

    @Test func answerAfterEarlyMediaStartsOnCurrentPath() {
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
    func endReasonDecidesBetweenEndedAndFailed(_ reason: EndReason, _ phase: CallSummary.Phase) {
        var bench = Bench()
        bench.talk()
        bench.line(.ended(Sample.first, reason))
        let phases = bench.log.compactMap {
            if case .control(.notice(.callEnded(let summary, _))) = $0 { summary.phase } else { nil }
        }
        #expect(phases == [phase])
    }

    @Test func dialledContactHasName() {
        var bench = Bench()
        bench.post(.vault(.contacts([Contact(name: "Ada Lovelace", number: "5550100")])))
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.summary(Sample.dialled)?.name == "Ada Lovelace")
    }

    @Test func observersAreNotifiedOfRinging() {
        var bench = Bench()
        bench.offer()
        #expect(bench.noticed(.ringerChanged(on: true)))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.noticed(.ringerChanged(on: false)))
    }

    @Test func lineKeyOfActiveCallDoesNothing() {
        var policy = Sample.policy
        policy.lineKeys = [.direct]
        var bench = Bench(policy: policy)
        bench.talk()
        bench.forget()
        bench.press(.line(1))
        #expect(bench.log == [.control(.notice(.keyPressed(.line(1))))])
    }

    /// No call has the audio: answered at the handset if it is off hook, else on the speaker.
    @Test(arguments: [(HookPosition.offHook, Route.handset), (.onHook, .speaker)])
    func lineKeyAnswersOnHandsetOrSpeaker(_ hook: HookPosition, _ route: Route) {
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

    /// A call that a person held, other than for dialling, is resumed only by the person.
    @Test func manuallyHeldCallStaysHeld() {
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

    @Test func lossOfUnusedDeviceKeepsRoute() {
        var bench = Bench()
        bench.talk()
        bench.press(.headset)
        bench.press(.speaker)
        bench.media(.deviceLost(.bluetooth, "gone"))
        #expect(bench.machine.snapshot.route == .speaker)
        #expect(bench.noticed(.trouble("gone", .soundDevice)))
    }

    @Test(arguments: [(256, true), (257, false)]) func addressHasAtMost256Bytes(_ bytes: Int, _ isDialled: Bool) {
        var bench = Bench()
        let domain = "@example.org"
        let address = "sip:" + String(repeating: "a", count: bytes - 4 - domain.count) + domain
        #expect((bench.ask(.dial(address, account: nil)) == .failed(.invalidTarget)) != isDialled)
    }

    @Test func lineKeyAnswersOnCurrentRoute() {
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

    /// Eight IDs of a call are accepted, and not one more: a backend that sends hundreds is lying.
    @Test(arguments: [(8, 1), (9, 2)])
    func acceptsAtMostEightIDsPerCall(position: Int, calls: Int) {
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
