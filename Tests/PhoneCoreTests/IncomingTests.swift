import Base
import PhoneCore
import Testing

@Suite("Incoming calls")
struct IncomingTests {
    @Test func incomingCallIsAnnouncedAtOnce() {
        var bench = Bench()
        let effects = bench.post(.line(.offered(Sample.first, Sample.caller)))
        #expect(effects.contains(.line(.alert(Sample.first))))
        #expect(effects.contains(.media(.open(Sample.first, .direct))))
        #expect(effects.contains(.panel(.bell(PhonePolicy().ringCadence))))
        #expect(effects.contains(.panel(.lamp(.ringing, .fastBlink))))
        #expect(bench.phase() == .ringingIn)
        #expect(bench.summary()?.name == "Ada")
    }

    @Test func repeatedOfferAnnouncesOnce() {
        var bench = Bench()
        bench.offer()
        let again = bench.post(.line(.offered(Sample.first, Sample.caller)))
        #expect(again.isEmpty)
    }

    @Test func liftingHandsetAnswers() {
        var bench = Bench()
        bench.offer()
        bench.forget()
        bench.lift()
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: false)))
        #expect(bench.did(.panel(.bell(nil))))
        #expect(bench.phase() == .connecting)
        #expect(bench.machine.snapshot.tone == nil)
        bench.line(.answered(Sample.first, Sample.plan))
        #expect(bench.did(.connect(Sample.first, Sample.plan)))
        #expect(!bench.did(.activate(Sample.first)))
        #expect(bench.panelOutcomes.isEmpty, "an answer is fulfilled when media runs")
        bench.media(.ready(Sample.first))
        #expect(bench.phase() == .active)
        #expect(bench.times(.activate(Sample.first)) == 1)
        #expect(bench.did(.microphone(Sample.first, open: true)))
        #expect(bench.panelOutcomes == [.fulfilled])
    }

    @Test func activeCallIsPersistedAndClearedAtItsEnd() {
        var bench = Bench()
        bench.talk()
        let kept = PersistedCall(
            call: Sample.first.description, direction: .incoming, number: "+15550100", name: "Ada", account: .direct,
            started: .zero, answered: .zero)
        #expect(bench.did(.vault(.persist(kept))))
        bench.forget()
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.log.count { $0 == .vault(.clearPersisted) } == 1)
    }

    @Test(arguments: [(Key.speaker, Route.speaker), (.headset, .headset)])
    func keyAnswers(_ key: Key, _ route: Route) {
        var bench = Bench()
        bench.offer()
        bench.press(key)
        bench.connect()
        #expect(bench.phase() == .active)
        #expect(bench.machine.snapshot.route == route)
        #expect(bench.did(.route(route)))
    }

    @Test func requestAnswers() {
        var bench = Bench()
        bench.offer()
        #expect(bench.ask(.answer(nil)) == nil)
        bench.connect()
        #expect(bench.outcome(of: 1) == .fulfilled)
    }

    @Test func answerWaitsForSockets() {
        var bench = Bench()
        bench.offer(opened: false)
        bench.lift()
        #expect(bench.phase() == .connecting)
        #expect(!bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: false)))
        bench.run(.milliseconds(4_999))
        bench.media(.opened(Sample.first, Sample.endpoint))
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: false)))
    }

    @Test func answerWaitsForLine() {
        var bench = Bench()
        bench.line(.registration(.direct, .failed("no route")))
        bench.offer()
        bench.lift()
        #expect(!bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: false)))
        bench.run(.seconds(3))
        bench.line(.registration(.direct, .registered))
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: false)))
    }

    @Test func lineWithOfferCountsAsReady() {
        var bench = Bench()
        let caller = Caller(number: "123", account: AccountID(5))
        bench.line(.offered(CallID(.line(AccountID(5)), 1), caller))
        bench.media(.opened(CallID(.line(AccountID(5)), 1), Sample.endpoint))
        bench.lift()
        #expect(bench.did(.answer(CallID(.line(AccountID(5)), 1), Sample.endpoint, awaitingACK: false)))
    }

    @Test func unavailableLineFailsAnswerAfterFiveSeconds() {
        var bench = Bench()
        bench.line(.registration(.direct, .registering))
        bench.offer()
        bench.ask(.answer(Sample.first))
        bench.run(.milliseconds(4_999))
        #expect(bench.outcome(of: 1) == nil)
        bench.run(.milliseconds(1))
        #expect(bench.outcome(of: 1) == .failed(.lineNotReady))
        #expect(bench.did(.refuse(Sample.first, .unavailable)))
        #expect(bench.phase() == .disconnecting)
    }

    @Test func unopenedSocketsFailAnswer() {
        var bench = Bench()
        bench.offer(opened: false)
        bench.ask(.answer(nil))
        bench.run(.seconds(7))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(bench.ends == [.mediaFailed])
    }

    @Test func unreadyMediaFailsAnswer() {
        var bench = Bench()
        bench.offer()
        bench.ask(.answer(nil))
        bench.line(.answered(Sample.first, Sample.plan))
        bench.run(.seconds(5))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(bench.did(.end(Sample.first, because: .mediaFailed)))
        #expect(!bench.did(.activate(Sample.first)))
        bench.run(.seconds(2))
        #expect(bench.ends == [.mediaFailed])
    }

    @Test func callIsMissedAfterThirtySecondsOfRinging() {
        var bench = Bench()
        bench.offer()
        bench.run(.milliseconds(29_999))
        #expect(bench.phase() == .ringingIn)
        bench.run(.milliseconds(1))
        #expect(bench.did(.refuse(Sample.first, .noAnswer)))
        #expect(bench.did(.panel(.bell(nil))))
        bench.line(.ended(Sample.first, .noAnswer))
        #expect(bench.ends == [.noAnswer])
        #expect(bench.records.map(\.missed) == [.timeout])
        #expect(bench.lamp(.message) == .on)
    }

    @Test func cancelledCallIsMissed() {
        var bench = Bench()
        bench.offer()
        bench.forget()
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.ends == [.cancelledThere])
        #expect(bench.log.contains { if case .control(.notice(.missedCall)) = $0 { true } else { false } })
        #expect(!bench.machine.snapshot.ringing)
        #expect(bench.phase() == nil)
        #expect(bench.log.allSatisfy { if case .line = $0 { false } else { true } }, "no request is left to settle")
    }

    @Test func callAnsweredElsewhereIsNotMissed() {
        var bench = Bench()
        bench.offer()
        bench.line(.ended(Sample.first, .answeredElsewhere))
        #expect(bench.records.map(\.missed) == [nil])
        #expect(bench.lamp(.message) == .off)
    }

    @Test func answeredCallIsNotMissed() {
        var bench = Bench()
        bench.talk()
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.records.map(\.missed) == [nil])
    }

    @Test func requestDeclinesCall() {
        var policy = Sample.policy
        policy.declinedAs = .busy
        var bench = Bench(policy: policy)
        bench.offer()
        bench.ask(.hangUp(nil))
        #expect(bench.did(.refuse(Sample.first, .busy)))
        bench.line(.ended(Sample.first, .declined))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.ends == [.declined])
        #expect(bench.records.map(\.missed) == [.declined])
    }

    @Test func missedCallsAreCountedUntilSeen() {
        var bench = Bench()
        bench.offer()
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.lamp(.message) == .on)
        #expect(bench.ask(.clearMissedCalls(nil)) == .fulfilled)
        #expect(bench.lamp(.message) == .off)
    }

    @Test func offHookHandsetDoesNotAnswer() {
        var bench = Bench()
        bench.post(.panel(.hookFound(.offHook)))
        bench.offer()
        #expect(bench.machine.snapshot.ringing, "no person listens at that handset")
        #expect(bench.phase() == .ringingIn)
        bench.replace()
        #expect(bench.phase() == .ringingIn)
        bench.lift()
        bench.connect()
        #expect(bench.phase() == .active)
    }

    @Test func muteKeySilencesRingingOnly() {
        var bench = Bench()
        bench.offer()
        bench.press(.mute)
        #expect(!bench.machine.snapshot.ringing)
        #expect(bench.phase() == .ringingIn)
        #expect(bench.lamp(.ringing) == .fastBlink)
        bench.lift()
        #expect(bench.phase() == .connecting)
    }

    @Test func callerMayCancelDuringAnswer() {
        var bench = Bench()
        bench.offer()
        bench.ask(.answer(nil))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.outcome(of: 1) == .failed(.callEnded(.cancelledThere)))
        #expect(bench.ends == [.cancelledThere])
    }
}
