import Base
import PhoneCore
import Testing

@Suite("Network loss and return")
struct NetworkTests {
    private static let elsewhere = NetworkPath(.wifi, addresses: ["198.51.100.7"])

    @Test func shortInterruptionChangesNothing() {
        var bench = Bench.registeredAndTalking()
        bench.network(.none)
        #expect(bench.machine.snapshot.network == .reconnecting)
        bench.run(.milliseconds(499))
        bench.network(Sample.home)
        bench.run(.seconds(1))
        #expect(bench.phase() == .active)
        #expect(bench.machine.snapshot.network == .connected)
        #expect(!bench.log.contains { if case .line = $0 { true } else { false } })
    }

    @Test func halfSecondWithoutPathIsLoss() {
        var bench = Bench.registeredAndTalking()
        bench.network(.none)
        bench.run(.milliseconds(499))
        #expect(bench.phase() == .active)
        bench.run(.milliseconds(1))
        #expect(bench.phase() == .reconnecting)
        #expect(bench.machine.snapshot.network == .disconnected)
        #expect(bench.noticed(.networkTransition(from: .wired, to: .none)))
        #expect(bench.noticed(.networkChanged(.disconnected, .none)))
    }

    @Test func flappingPathIsJudgedHalfSecondAfterFirstChange() {
        var bench = Bench.registeredAndTalking()
        for _ in 0..<5 {
            bench.network(.none)
            bench.run(.milliseconds(50))
            bench.network(Self.elsewhere)
            bench.run(.milliseconds(50))
        }
        #expect(bench.phase() == .reconnecting)
        #expect(bench.did(.move(Sample.first, nil)))
        #expect(!bench.noticed(.networkTransition(from: .wired, to: .none)))
    }

    @Test func unchangedPathResumesCall() {
        var bench = Bench.registeredAndTalking()
        bench.network(.none)
        bench.run(.seconds(29))
        bench.forget()
        bench.network(Sample.home)
        bench.run(.milliseconds(500))
        #expect(bench.phase() == .active)
        #expect(bench.did(.reconnect(.direct)), "the server may have forgotten the line by then")
        #expect(!bench.did(.move(Sample.first, nil)))
        bench.run(.seconds(60))
        #expect(bench.phase() == .active)
    }

    @Test func thirtySecondsWithoutNetworkEndCall() {
        var bench = Bench.registeredAndTalking()
        bench.network(.none)
        bench.run(.milliseconds(29_999))
        #expect(bench.phase() == .reconnecting)
        bench.run(.milliseconds(1))
        #expect(bench.phase() == .disconnecting)
        #expect(bench.noticed(.networkTimeout(Sample.first)))
        bench.run(.seconds(2))
        #expect(bench.ends == [.networkLost])
    }

    /// The far end needs the candidates of the new address before a path exists.
    @Test func callWithICEGathersCandidatesBeforeMoving() {
        var (bench, plan, endpoint) = Self.talkingWithICE()
        bench.network(Self.elsewhere)
        bench.run(.milliseconds(500))
        #expect(bench.did(.gather(Sample.first)) && !bench.did(.move(Sample.first, nil)))
        bench.media(.gathered(Sample.first, endpoint))
        #expect(bench.did(.move(Sample.first, endpoint)))
        bench.line(.moved(Sample.first, plan))
        #expect(bench.phase() == .active)
        bench.forget()
        bench.media(.gathered(Sample.first, endpoint))
        #expect(!bench.did(.move(Sample.first, endpoint)), "a late event moves nothing")
    }

    /// The answer to the first move arrives while the phone gathers candidates of the next addresses.
    @Test func secondAddressChangeMovesCallAgain() {
        var (bench, plan, endpoint) = Self.talkingWithICE()
        bench.network(Self.elsewhere)
        bench.run(.milliseconds(500))
        bench.media(.gathered(Sample.first, endpoint))
        bench.network(NetworkPath(.wired, addresses: ["198.51.100.8"]))
        bench.run(.milliseconds(500))
        bench.forget()
        bench.line(.moved(Sample.first, plan))
        #expect(bench.phase() == .reconnecting && !bench.did(.update(Sample.first, plan)))
        bench.media(.gathered(Sample.first, endpoint))
        #expect(bench.did(.move(Sample.first, endpoint)))
        bench.line(.moved(Sample.first, plan))
        #expect(bench.phase() == .active && bench.did(.update(Sample.first, plan)))
    }

    private static func talkingWithICE() -> (Bench, NegotiatedMedia, MediaEndpoint) {
        var (bench, plan) = (Bench.registeredAndTalking(), Sample.plan)
        let ice = ICEDescription(userFragment: "abcd", password: SecretBytes([1]), candidates: [])
        plan.ice = .init(local: ice, remote: ice, isControlling: true)
        bench.line(.renegotiated(Sample.first, plan, heldByFarEnd: false))
        bench.forget()
        return (bench, plan, MediaEndpoint(port: 40_000, ice: LocalICE(ice, isOffered: true)))
    }

    @Test func lostPathStartsSearch() {
        var (bench, plan, endpoint) = Self.talkingWithICE()
        bench.media(.pathDoubted(Sample.first))
        #expect(bench.phase() == .reconnecting && bench.did(.gather(Sample.first)))
        bench.forget()
        bench.media(.pathDoubted(Sample.first))
        #expect(!bench.did(.gather(Sample.first)), "they are looked for already")
        bench.media(.gathered(Sample.first, endpoint))
        #expect(bench.did(.move(Sample.first, endpoint)))
        plan.remote = MediaAddress(host: plan.remote.host, port: 7_000)
        bench.line(.moved(Sample.first, plan))
        #expect(bench.phase() == .active && bench.did(.update(Sample.first, plan)))
    }

    @Test func farEndWithoutOtherPathIsLost() {
        var (bench, _, endpoint) = Self.talkingWithICE()
        bench.media(.pathDoubted(Sample.first))
        bench.media(.gathered(Sample.first, endpoint))
        bench.line(.moved(Sample.first, nil))
        bench.run(.seconds(2))
        #expect(bench.ends == [.networkLost])
    }

    @Test func searchNeedsICEAndNetwork() {
        var bench = Bench.registeredAndTalking()
        bench.media(.pathDoubted(Sample.first))
        #expect(bench.phase() == .active && !bench.did(.gather(Sample.first)))
        (bench, _, _) = Self.talkingWithICE()
        bench.network(.none)
        bench.run(.seconds(1))
        bench.media(.pathDoubted(Sample.first))
        #expect(bench.phase() == .reconnecting && !bench.did(.gather(Sample.first)))
    }

    @Test func callMovesToNewAddress() {
        var bench = Bench.registeredAndTalking()
        bench.network(Self.elsewhere)
        bench.run(.milliseconds(500))
        #expect(bench.phase() == .reconnecting)
        #expect(bench.machine.snapshot.network == .reconnecting)
        #expect(bench.did(.reconnect(.direct)))
        #expect(bench.did(.move(Sample.first, nil)))
        bench.forget()
        let plan = Sample.plan(port: 7_000)
        bench.line(.moved(Sample.first, plan))
        #expect(bench.phase() == .active)
        #expect(bench.did(.update(Sample.first, plan)))
        #expect(bench.times(.activate(Sample.first)) == 0, "voice was on all the time")
        #expect(bench.machine.snapshot.network == .connected)
    }

    @Test func moveTimesOutSixtySecondsAfterLoss() {
        var bench = Bench.registeredAndTalking()
        bench.network(.none)
        bench.run(.seconds(20))
        bench.network(Self.elsewhere)
        bench.run(.milliseconds(39_999))
        #expect(bench.phase() == .reconnecting)
        bench.run(.milliseconds(1))
        #expect(bench.phase() == .disconnecting)
        bench.run(.seconds(2))
        #expect(bench.ends == [.networkLost])
    }

    @Test func unresponsiveFarEndIsLost() {
        var bench = Bench.registeredAndTalking()
        bench.network(Self.elsewhere)
        bench.run(.milliseconds(500))
        bench.line(.moved(Sample.first, nil))
        bench.run(.seconds(2))
        #expect(bench.ends == [.networkLost])
    }

    @Test func unexpectedMoveChangesNothing() {
        var bench = Bench.registeredAndTalking()
        bench.line(.moved(Sample.first, nil))
        #expect(bench.phase() == .active)
        bench.network(.none)
        bench.run(.seconds(1))
        bench.line(.moved(Sample.first, Sample.plan(port: 7_000)))
        #expect(bench.phase() == .reconnecting)
    }

    @Test func callMovesAgainWhenAddressChangesAgain() {
        var bench = Bench.registeredAndTalking()
        bench.network(Self.elsewhere)
        bench.run(.milliseconds(500))
        bench.network(Sample.home)
        bench.forget()
        bench.run(.milliseconds(500))
        #expect(bench.did(.move(Sample.first, nil)), "back on the old address, which the far end may not know")
        bench.network(.none)
        bench.run(.seconds(31))
        bench.run(.seconds(2))
        #expect(bench.ends == [.networkLost])
    }

    @Test func heldCallStaysHeldAfterMove() {
        var bench = Bench.registeredAndTalking()
        bench.ask(.hold(nil))
        bench.network(.none)
        bench.run(.milliseconds(500))
        #expect(bench.ask(.hangUp(Sample.second)) == .failed(.noSuchCall))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.phase() == .reconnecting)
        bench.network(Sample.home)
        bench.run(.milliseconds(500))
        #expect(bench.phase() == .onHold)
    }

    @Test func reconnectingCallAcceptsLittleButHangUp() {
        var bench = Bench.registeredAndTalking()
        bench.network(.none)
        bench.run(.seconds(1))
        #expect(bench.ask(.hold(nil)) == .failed(.wrongState))
        #expect(bench.ask(.dtmf(nil, [.pause])) == .failed(.wrongState))
        #expect(bench.ask(.transfer(nil, to: "5550101")) == .failed(.wrongState))
        bench.ask(.hangUp(nil))
        #expect(bench.did(.end(Sample.first)))
    }

    @Test func muteDuringReconnectIsKept() {
        var bench = Bench.registeredAndTalking()
        bench.network(.none)
        bench.run(.seconds(1))
        #expect(bench.ask(.mute(true)) == .fulfilled)
        bench.network(Sample.home)
        bench.run(.milliseconds(500))
        #expect(bench.machine.snapshot.muted)
        #expect(!bench.did(.microphone(Sample.first, open: true)))
    }

    /// The path changes, or is lost, between the offer and the voice.
    @Test(arguments: [NetworkPath.none, elsewhere])
    func callAnsweredOnOtherPathRecovers(_ path: NetworkPath) {
        for isIncoming in [true, false] {
            var bench = Bench()
            bench.network(Sample.home)
            let call = isIncoming ? Sample.first : Sample.dialled
            if isIncoming {
                bench.offer()
                bench.lift()
            } else {
                bench.dial()
            }
            bench.network(path)
            bench.run(.milliseconds(600))
            bench.line(.answered(call, Sample.plan))
            bench.media(.ready(call))
            #expect(bench.phase(call) == .reconnecting)
            #expect(bench.did(.move(call, nil)) == path.isUp)
            #expect(bench.times(.activate(call)) == 1)
            bench.run(.seconds(path.isUp ? 60 : 30))
            #expect(bench.phase(call) == .disconnecting)
        }
    }

    @Test func unconfirmedMoveIsRepeated() {
        var bench = Bench.registeredAndTalking()
        bench.network(Self.elsewhere)
        bench.run(.milliseconds(500))
        bench.network(.none)
        bench.run(.seconds(1))
        bench.forget()
        bench.network(Self.elsewhere)
        bench.run(.milliseconds(500))
        #expect(bench.did(.move(Sample.first, nil)))
        #expect(bench.phase() == .reconnecting)
        bench.line(.moved(Sample.first, Sample.plan))
        #expect(bench.phase() == .active)
    }

    @Test func silenceWithoutNetworkIsTolerated() {
        var bench = Bench.registeredAndTalking()
        bench.media(.silent(Sample.first))
        bench.run(.seconds(24))
        bench.network(.none)
        bench.run(.seconds(20))
        bench.network(Sample.home)
        bench.run(.milliseconds(500))
        bench.run(.seconds(29))
        #expect(bench.phase() == .active)
    }

    /// A call that is older than the first network report uses the reported path, or has lost its path.
    @Test func firstNetworkReportIsNoChange() {
        for path in [Sample.home, .none] {
            var bench = Bench()
            bench.offer()
            bench.lift()
            bench.connect()
            bench.network(path)
            #expect(bench.phase() == (path == .none ? .reconnecting : .active))
            bench.network(Sample.home)
            bench.run(.seconds(1))
            #expect(bench.phase() == (path == .none ? .reconnecting : .active))
            #expect(bench.did(.move(Sample.first, nil)) == (path == .none), "its old address is unknown")
        }
    }

    @Test func movedCallStaysOnNewPath() {
        var bench = Bench.registeredAndTalking()
        bench.network(Self.elsewhere)
        bench.run(.milliseconds(500))
        bench.line(.moved(Sample.first, Sample.plan(port: 7_000)))
        bench.forget()
        bench.network(.none)
        bench.run(.seconds(1))
        bench.network(Self.elsewhere)
        bench.run(.seconds(1))
        #expect(bench.phase() == .active)
        #expect(!bench.did(.move(Sample.first, nil)), "the far end knows the address already")
    }

    @Test func startWithoutNetworkIsReported() {
        var bench = Bench()
        #expect(bench.machine.snapshot.network == .connected, "no report says otherwise")
        bench.network(.none)
        #expect(bench.machine.snapshot.network == .disconnected)
        bench.network(Sample.home)
        bench.run(.milliseconds(500))
        #expect(bench.noticed(.networkChanged(.connected, .wired)))
    }
}
