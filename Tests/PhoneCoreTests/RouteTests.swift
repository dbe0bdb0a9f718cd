import PhoneCore
import Testing

/// A headset or Bluetooth device that is there before a call, and the route after the speaker is switched off (spec
/// §8).
@Suite("Audio routes")
struct RouteTests {
    private static let devices = [Route.headset, .bluetooth]

    private func bench(with device: Route, policy: PhonePolicy = Sample.policy) -> Bench {
        var bench = Bench(policy: policy)
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.media(.devicePresent(device))
        return bench
    }

    // MARK: Start of a call

    @Test(arguments: devices) func deviceFoundAtRestTakesNoRoute(device: Route) {
        var bench = bench(with: device)
        #expect(bench.machine.snapshot.route == .handset)
        bench.media(.deviceFound(device))
        bench.offer()
        #expect(bench.machine.snapshot.route == .handset, "it rings, and nobody speaks")
    }

    @Test(arguments: devices) func requestedAnswerUsesDevice(device: Route) {
        var bench = bench(with: device)
        bench.offer()
        bench.ask(.answer(nil))
        #expect(bench.did(MediaEffect.route(device)))
        #expect(bench.noticed(.routeChanged(device, before: .handset)))
        bench.connect()
        #expect(bench.machine.snapshot.route == device)
    }

    @Test(arguments: devices) func requestedCallUsesDevice(device: Route) {
        var bench = bench(with: device)
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.machine.snapshot.route == device)
    }

    @Test(arguments: devices) func keysUseDeviceWithoutHandset(device: Route) {
        var policy = Sample.policy
        policy.lineKeys = [.direct]
        policy.speedDials = [1: SpeedDial(["5550101"])]
        for key in [Key.line(1), .speedDial(1)] {
            var bench = bench(with: device, policy: policy)
            bench.press(key)
            #expect(bench.machine.snapshot.route == device, "\(key)")
        }
        var called = bench(with: device, policy: policy)
        called.offer()
        called.press(.line(1))
        #expect(called.phase() == .connecting)
        #expect(called.machine.snapshot.route == device)
    }

    @Test(arguments: devices) func liftedHandsetTakesRoute(device: Route) {
        var bench = bench(with: device)
        bench.offer()
        bench.lift()
        bench.connect()
        #expect(bench.machine.snapshot.route == .handset)
        #expect(!bench.did(MediaEffect.route(device)))
    }

    @Test(arguments: devices) func liftingHandsetTakesCallFromDevice(device: Route) {
        var bench = bench(with: device)
        bench.ask(.dial("5550100", account: nil))
        bench.lift()
        #expect(bench.machine.snapshot.route == .handset)
        bench.replace()
        #expect(bench.ends == [.hungUpHere])
    }

    @Test func offHookHandsetIsUsedForAnswer() {
        var policy = Sample.policy
        policy.lineKeys = [.direct]
        var bench = Bench(policy: policy)
        bench.post(.panel(.hookFound(.offHook)))
        bench.media(.devicePresent(.headset))
        bench.offer()
        bench.press(.line(1))
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test(arguments: devices) func speakerKeyChoosesSpeaker(device: Route) {
        var bench = bench(with: device)
        bench.offer()
        bench.press(.speaker)
        #expect(bench.machine.snapshot.route == .speaker)
        bench.media(.devicePresent(device))
        #expect(bench.machine.snapshot.route == .speaker, "it was there before")
    }

    @Test(arguments: Route.allCases) func requestedRouteBeforeCallCounts(route: Route) {
        var bench = bench(with: .headset)
        bench.ask(.route(route))
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.machine.snapshot.route == route)
        bench.line(.ended(Sample.dialled, .busyThere))
        #expect(bench.machine.snapshot.route == .handset)
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.machine.snapshot.route == .headset, "it counted for one use of the phone")
    }

    @Test func automaticAnswerUsesConfiguredRoute() {
        var policy = Sample.policy
        policy.autoAnswer.callers = Sample.caller.vouched.map { [ListedCaller($0.number)] } ?? []
        policy.autoAnswer.onlyWhenAsked = false
        var bench = bench(with: .headset, policy: policy)
        bench.offer()
        #expect(bench.phase() == .connecting)
        #expect(bench.machine.snapshot.route == .speaker)
    }

    @Test func newestDeviceIsUsed() {
        var bench = bench(with: .headset)
        bench.media(.deviceFound(.bluetooth))
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.machine.snapshot.route == .bluetooth)
    }

    /// Media looks for Bluetooth devices when the sound starts.
    @Test func deviceFoundJustAfterStartOfCallCountsAsEarlier() {
        var bench = Bench()
        bench.post(.panel(.hookFound(.onHook)))
        bench.ask(.dial("5550100", account: nil))
        bench.media(.devicePresent(.bluetooth))
        #expect(bench.machine.snapshot.route == .bluetooth)

        var lifted = Bench()
        lifted.talk()
        lifted.media(.devicePresent(.bluetooth))
        #expect(lifted.machine.snapshot.route == .handset, "a person lifted it, and the device did not come since")
        lifted.media(.deviceFound(.bluetooth))
        #expect(lifted.machine.snapshot.route == .bluetooth, "it came")
    }

    /// Only a pluggable device takes the voice when it appears.
    @Test func recoveredHandsetTakesNoRoute() {
        var bench = Bench()
        bench.talk()
        bench.press(.speaker)
        bench.media(.deviceFound(.handset))
        #expect(bench.machine.snapshot.route == .speaker)
    }

    // MARK: End of a call

    @Test(arguments: devices) func deviceLostAtRestIsNotReported(device: Route) {
        var bench = bench(with: device)
        bench.forget()
        bench.media(.deviceAbsent(device))
        #expect(bench.log.isEmpty)
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test(arguments: devices) func deviceLostAtRestRestoresDefaultRoute(device: Route) {
        var bench = bench(with: device)
        bench.ask(.route(device))
        bench.media(.deviceAbsent(device))
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test(arguments: devices) func deviceLostInCallIsNotUsedByNextCall(device: Route) {
        var bench = bench(with: device)
        bench.ask(.dial("5550100", account: nil))
        bench.media(.deviceLost(device, "gone"))
        #expect(bench.machine.snapshot.route == .handset)
        bench.line(.ended(Sample.dialled, .busyThere))
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test func silentlyLostDeviceIsNoFallback() {
        var bench = bench(with: .headset)
        bench.media(.devicePresent(.bluetooth))
        bench.ask(.dial("5550100", account: nil))
        bench.press(.headset)
        bench.media(.deviceAbsent(.bluetooth))
        bench.media(.deviceLost(.headset, "gone"))
        #expect(bench.machine.snapshot.route == .handset)
    }

    // MARK: The speaker is switched off

    /// The speaker is switched off by its key, by a program, or by the key's method.
    private enum Off: CaseIterable { case key, program, method }

    private func switchOff(_ bench: inout Bench, _ off: Off) {
        switch off {
        case .key: bench.press(.speaker)
        case .program: bench.ask(.speaker(false))
        case .method: bench.ask(.toggleSpeaker)
        }
    }

    @Test(arguments: devices, Off.allCases) private func speakerOffRestoresPreviousDevice(device: Route, off: Off) {
        var bench = bench(with: device)
        bench.offer()
        bench.ask(.answer(nil))
        bench.connect()
        bench.press(.speaker)
        #expect(bench.machine.snapshot.route == .speaker)
        switchOff(&bench, off)
        #expect(bench.machine.snapshot.route == device)
        #expect(bench.noticed(.routeChanged(device, before: .speaker)))
        #expect(bench.phase() == .active)
    }

    @Test(arguments: Off.allCases) private func speakerOffUsesOtherDeviceWhenPreviousIsLost(off: Off) {
        var bench = bench(with: .headset)
        bench.ask(.dial("5550100", account: nil))
        bench.media(.deviceFound(.bluetooth))
        bench.press(.speaker)
        bench.media(.deviceAbsent(.bluetooth))
        switchOff(&bench, off)
        #expect(bench.machine.snapshot.route == .headset)
    }

    @Test(arguments: Off.allCases) private func speakerOffUsesLiftedHandsetWhenDeviceIsLost(off: Off) {
        var bench = bench(with: .headset)
        bench.lift()
        bench.press(.headset)
        bench.press(.speaker)
        bench.media(.deviceAbsent(.headset))
        switchOff(&bench, off)
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test(arguments: Off.allCases) private func speakerOffRestoresHandset(off: Off) {
        var bench = bench(with: .headset)
        bench.offer()
        bench.lift()
        bench.connect()
        bench.press(.speaker)
        switchOff(&bench, off)
        #expect(bench.machine.snapshot.route == .handset)
    }

    /// A person who started on the speaker and presses its key again wants to end the call.
    @Test func speakerKeyEndsCallStartedOnSpeaker() {
        var bench = bench(with: .headset)
        bench.offer()
        bench.press(.speaker)
        bench.connect()
        bench.press(.speaker)
        #expect(bench.phase() == .disconnecting)
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test(arguments: [Route.headset, nil]) func requestedSpeakerOffKeepsCall(device: Route?) {
        var bench = Bench()
        bench.post(.panel(.hookFound(.onHook)))
        if let device { bench.media(.devicePresent(device)) }
        bench.offer()
        bench.press(.speaker)
        bench.connect()
        #expect(bench.ask(.speaker(false)) == .fulfilled)
        #expect(bench.phase() == .active)
        #expect(bench.machine.snapshot.route == device ?? .handset)
    }

    /// The voice returns to the previous device, although another one came later.
    @Test(arguments: devices) func requestedSpeakerOffRestoresDevice(device: Route) {
        var bench = bench(with: .headset)
        bench.media(.devicePresent(.bluetooth))
        bench.offer()
        bench.ask(.answer(nil))
        bench.connect()
        bench.ask(.route(device))
        bench.ask(.speaker(true))
        bench.ask(.speaker(false))
        #expect(bench.machine.snapshot.route == device)
    }

    @Test(arguments: devices) func speakerOffRequestDoesNothingWhenOff(device: Route) {
        var bench = bench(with: device)
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.ask(.speaker(false)) == .fulfilled)
        #expect(bench.machine.snapshot.route == device)
    }

    @Test func speakerChosenForNextCallCanBeSwitchedOff() {
        var bench = bench(with: .headset)
        bench.ask(.speaker(true))
        #expect(bench.machine.snapshot.route == .speaker)
        bench.ask(.speaker(false))
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.machine.snapshot.route == .headset)
    }

    // MARK: Phone without a handset

    private static func kiosk() -> Bench {
        var policy = Sample.policy
        policy.defaultRoute = .speaker
        policy.autoAnswer.callers = [ListedCaller("+15550100")]
        policy.autoAnswer.onlyWhenAsked = false
        return Bench(policy: policy)
    }

    /// A route without a device is never reported, whatever a person or a program does.
    @Test func phoneWithoutHandsetStaysOnLoudspeaker() {
        var bench = Self.kiosk()
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.ask(.speaker(false))
        bench.offer()
        bench.connect()
        #expect(bench.phase() == .active, "it answers by itself")
        bench.ask(.speaker(false))
        bench.lift()
        bench.line(.ended(Sample.first, .hungUpThere))
        bench.replace()
        bench.lift()
        bench.type("5550100#")
        bench.run(.seconds(60))
        #expect(bench.machine.snapshot.route == .speaker)
        #expect(!bench.log.contains { if case .media(.route) = $0 { true } else { false } })
    }

    @Test func hookEndsCallOnDefaultSpeaker() {
        var policy = Sample.policy
        policy.defaultRoute = .speaker
        var bench = Bench(policy: policy)
        bench.talk()
        #expect(bench.phase() == .active)
        bench.replace()
        #expect(bench.phase() == .disconnecting)
    }

    /// The device of the previous call is not the route from before the speaker.
    @Test func deviceOfFormerCallIsForgotten() {
        var policy = Sample.policy
        policy.defaultRoute = .speaker
        var bench = bench(with: .headset, policy: policy)
        bench.ask(.dial("5550100", account: nil))
        bench.press(.speaker)
        bench.line(.ended(Sample.dialled, .busyThere))
        bench.run(.seconds(60))
        bench.forget()
        bench.offer()
        bench.press(.speaker)
        bench.connect()
        bench.press(.speaker)
        #expect(bench.phase() == .disconnecting)
    }
}
