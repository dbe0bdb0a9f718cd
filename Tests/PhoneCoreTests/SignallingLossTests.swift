import Base
import PhoneCore
import Testing

/// §9: a call whose line lost its server is reported as reconnecting, while its voice goes on.
@Suite("Loss of the signalling connection in a call")
struct SignallingLossTests {
    private static func phases(_ bench: Bench) -> [CallSummary.Phase] {
        bench.log.compactMap { if case .control(.notice(.callChanged(let call))) = $0 { call.phase } else { nil } }
    }

    @Test(arguments: [.registering, .failed("the connection is closed")] as [RegistrationState])
    func isToldAsReconnecting(_ state: RegistrationState) {
        var bench = Bench.registeredAndTalking()
        bench.line(.registration(.direct, state))
        #expect(bench.phase() == .reconnecting && bench.summary()?.signallingLost == true)
        #expect(!bench.log.contains { if case .media = $0 { true } else { false } }, "voice goes on")
        bench.run(.seconds(120))
        #expect(bench.phase() == .reconnecting, "no time is set for it")
        bench.line(.registration(.direct, .registered))
        #expect(bench.phase() == .active && bench.summary()?.signallingLost == nil)
        #expect(Self.phases(bench) == [.reconnecting, .active])
    }

    @Test func heldCallIsHeldAgain() {
        var bench = Bench.registeredAndTalking()
        bench.holdFirst()
        bench.line(.registration(.direct, .registering))
        #expect(bench.phase() == .reconnecting && bench.summary()?.heldHere == true)
        bench.line(.registration(.direct, .registered))
        #expect(bench.phase() == .onHold)
    }

    @Test func silenceStillEndsIt() {
        var bench = Bench.registeredAndTalking()
        bench.line(.registration(.direct, .registering))
        bench.media(.silent(Sample.first))
        bench.run(.seconds(28))
        #expect(bench.ends == [.mediaLost])
    }

    @Test func displayTellsIt() {
        var policy = Sample.policy
        policy.displayLanguage = .english
        var bench = Bench(policy: policy)
        bench.line(.registration(.direct, .registered))
        bench.talk()
        bench.line(.registration(.direct, .registering))
        #expect(bench.machine.snapshot.display?.detail == "Reconnecting")
    }

    @Test(arguments: [.disconnected, .notNeeded] as [RegistrationState])
    func personWhoDisconnectsLosesNothing(_ state: RegistrationState) {
        var bench = Bench.registeredAndTalking()
        bench.line(.registration(.direct, state))
        #expect(bench.phase() == .active)
    }

    @Test func otherAccountsDoNotMatter() {
        var bench = Bench.registeredAndTalking()
        bench.line(.registration(AccountID(7), .registered))
        bench.line(.registration(AccountID(7), .failed("gone")))
        #expect(bench.phase() == .active)
    }

    @Test func ringingCallDoesNotReconnect() {
        var bench = Bench()
        bench.line(.registration(.direct, .registered))
        bench.offer()
        bench.line(.registration(.direct, .registering))
        #expect(bench.phase() == .ringingIn)
    }

    @Test func lossIsNotTheEnd() {
        var bench = Bench.registeredAndTalking()
        bench.line(.registration(.direct, .failed("gone")))
        bench.ask(.hangUp(nil))
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.ends == [.hungUpHere])
    }
}
