import Base
import PhoneCore
import Testing

/// What other programs ask, where no key does the same.
@Suite("Requests")
struct RequestTests {
    @Test func aLineThatIsNotReadyIsWoken() {
        let account = AccountID(1)
        for (state, wakes) in [
            (.failed("no route"), true), (nil, true), (.registering, false), (.registered, false), (.notNeeded, false),
        ] as [(RegistrationState?, Bool)] {
            var bench = Bench()
            if let state { bench.line(.registration(account, state)) }
            bench.ask(.dial("5550100", account: account))
            #expect(bench.did(.reconnect(account)) == wakes, "\(String(describing: state))")
            var called = Bench()
            called.line(.offered(Sample.first, Caller(number: "1", account: account)))
            if let state { called.line(.registration(account, state)) }
            called.ask(.answer(nil))
            // A line that has said nothing, and offers a call, is there.
            #expect(called.did(.reconnect(account)) == (wakes && state != nil))
        }
    }

    @Test func aSecondAnswerOfAForkedCallChangesNothing() {
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

    @Test func togglesTurnWhatIs() {
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

    @Test func aProgramThatDialsDoesNotSilenceACallThatRings() {
        var bench = Bench()
        bench.offer()
        #expect(bench.ask(.dial("5550100", account: nil)) == .failed(.wrongState))
        #expect(bench.machine.snapshot.ringing)
    }

    @Test func theRingerIsSilencedForTheCallThatRings() {
        var bench = Bench()
        #expect(bench.ask(.silenceRinger) == .failed(.noSuchCall))
        bench.offer()
        #expect(bench.ask(.silenceRinger) == .fulfilled)
        #expect(!bench.machine.snapshot.ringing)
        #expect(bench.phase() == .ringingIn)
    }

    @Test func whenThePhoneStopsAChangeOfOrganisationIsUndone() {
        var bench = Bench()
        var memory = PhoneMemory()
        memory.context = Sample.context("a")
        bench.post(.vault(.remembered(memory)))
        bench.ask(.switchOrganisation(OrganisationID("b")))
        bench.post(.shutDown)
        #expect(bench.outcome(of: 1) == .failed(.organisation(.abandoned)))
    }
}
