import Base
import PhoneCore
import Testing

/// Requests of other programs that no key can make.
@Suite("Requests")
struct RequestTests {
    @Test func lineThatIsNotReadyIsWoken() {
        let account = AccountID(1)
        for (state, wakes) in [
            (.failed("no route"), true), (nil, true), (.registering, false), (.registered, false), (.notNeeded, false),
            (.disconnected, false),
        ] as [(RegistrationState?, Bool)] {
            var bench = Bench()
            if let state { bench.line(.registration(account, state)) }
            bench.ask(.dial("5550100", account: account))
            #expect(bench.did(.reconnect(account)) == wakes, "\(String(describing: state))")
            var called = Bench()
            called.line(.offered(Sample.first, Caller(number: "1", account: account)))
            if let state { called.line(.registration(account, state)) }
            called.ask(.answer(nil))
            // A line that has reported nothing, and offers a call, is available.
            #expect(called.did(.reconnect(account)) == (wakes && state != nil))
        }
    }

    @Test func disconnectedPhoneStaysDisconnectedAcrossNetworkChanges() {
        var bench = Bench()
        let (first, second, third) = (AccountID(1), AccountID(2), AccountID(3))
        bench.network(Sample.home)
        bench.line(.registration(first, .registered))
        bench.line(.registration(second, .failed("no route")))
        bench.line(.registration(third, .disconnected))
        #expect(bench.ask(.disconnectAccounts) == .fulfilled)
        #expect(bench.did(.disconnect(first)) && bench.did(.disconnect(second)) && !bench.did(.disconnect(third)))
        bench.line(.registration(first, .disconnected))
        bench.line(.registration(second, .disconnected))
        bench.forget()
        bench.network(.none)
        bench.run(.seconds(2))
        bench.network(Sample.home)
        bench.run(.seconds(2))
        #expect(!bench.did(.reconnect(first)) && !bench.did(.reconnect(second)))
        #expect(bench.ask(.connectAccounts) == .fulfilled)
        #expect(bench.did(.reconnect(first)) && bench.did(.reconnect(second)))
    }

    @Test func connectedPhoneDoesNotConnectAgain() {
        var bench = Bench()
        let accounts = (AccountID(1), AccountID(2), AccountID(3), AccountID(4))
        bench.line(.registration(accounts.0, .registered))
        bench.line(.registration(accounts.1, .registering))
        bench.line(.registration(accounts.2, .notNeeded))
        bench.line(.registration(accounts.3, .failed("no route")))
        #expect(bench.ask(.connectAccounts) == .fulfilled)
        for account in [accounts.0, accounts.1, accounts.2] { #expect(!bench.did(.reconnect(account))) }
        #expect(bench.did(.reconnect(accounts.3)))
    }

    @Test func disconnectedPhoneDialsEmergencyNumbersOnly() {
        var bench = Bench()
        let account = AccountID(1)
        bench.line(.registration(account, .disconnected))
        #expect(bench.ask(.dial("5550100", account: account)) == .failed(.lineNotReady))
        #expect(!bench.did(.reconnect(account)))
        bench.ask(.dial("112", account: account))
        #expect(bench.did(.reconnect(account)))
    }

    @Test func ringingCallCanBeAnsweredAfterDisconnect() {
        var bench = Bench()
        let account = AccountID(1)
        bench.line(.registration(account, .registered))
        bench.line(.offered(Sample.first, Caller(number: "1", account: account)))
        bench.ask(.disconnectAccounts)
        bench.line(.registration(account, .disconnected))
        bench.ask(.answer(nil))
        bench.media(.opened(Sample.first, Sample.endpoint))
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
        #expect(!bench.did(.reconnect(account)))
    }

    @Test func secondAnswerOfForkedCallChangesNothing() {
        var bench = Bench()
        bench.dial()
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.forget()
        bench.line(.answered(Sample.dialled, Sample.plan(port: 9_000)))
        #expect(bench.log.isEmpty)
        bench.media(.ready(Sample.dialled))
        bench.line(.answered(Sample.dialled, Sample.plan(port: 9_000)))
        bench.line(.earlyMedia(Sample.dialled, Sample.plan(port: 9_000)))
        #expect(bench.times(.activate(Sample.dialled)) == 1)
        #expect(bench.phase(Sample.dialled) == .active)
    }

    @Test func togglesInvertState() {
        var bench = Bench()
        #expect(bench.ask(.toggleMute) == .failed(.noSuchCall))
        #expect(bench.ask(.toggleHold(nil)) == .failed(.noSuchCall))
        bench.talk()
        #expect(bench.ask(.toggleMute) == .fulfilled)
        #expect(bench.machine.snapshot.muted)
        bench.ask(.toggleMute)
        #expect(!bench.machine.snapshot.muted)
        bench.ask(.toggleHold(nil))
        #expect(bench.did(.hold(Sample.first, true)))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        bench.ask(.toggleHold(Sample.first))
        #expect(bench.did(.hold(Sample.first, false)))
        #expect(bench.ask(.toggleSpeaker) == .fulfilled)
        #expect(bench.machine.snapshot.route == .speaker)
    }

    @Test func requestedCallDoesNotSilenceRingingCall() {
        var bench = Bench()
        bench.offer()
        #expect(bench.ask(.dial("5550100", account: nil)) == .failed(.wrongState))
        #expect(bench.machine.snapshot.ringing)
    }

    @Test func silencingAppliesToRingingCall() {
        var bench = Bench()
        #expect(bench.ask(.silenceRinger) == .failed(.noSuchCall))
        bench.offer()
        #expect(bench.ask(.silenceRinger) == .fulfilled)
        #expect(!bench.machine.snapshot.ringing)
        #expect(bench.phase() == .ringingIn)
    }

    @Test func shutdownUndoesOrganisationSwitch() {
        var bench = Bench()
        var memory = PhoneMemory()
        memory.context = Sample.context("a")
        bench.post(.vault(.remembered(memory)))
        bench.ask(.switchOrganisation(OrganisationID("b")))
        bench.post(.shutDown)
        #expect(bench.outcome(of: 1) == .failed(.organisation(.abandoned)))
    }
}
