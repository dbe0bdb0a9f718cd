import Base
import PhoneCore
import Testing

/// §11: `reset` ends every call and opens every guard without ending the process.
@Suite("Reset")
struct ResetTests {
    @Test func everyCallEndsAtOnce() {
        var bench = Bench()
        bench.talkToTwo()
        bench.forget()
        #expect(bench.ask(.reset) == .fulfilled)
        #expect(bench.machine.snapshot.calls.isEmpty, "it waits for no BYE")
        #expect(bench.did(.end(Sample.first)) && bench.did(.end(Sample.second)))
        #expect(bench.ends == [.hungUpHere, .hungUpHere] && bench.records.count == 2)
        bench.forget()
        bench.line(.ended(Sample.first, .hungUpHere))
        bench.line(.ended(Sample.second, .hungUpHere))
        #expect(bench.ends.isEmpty)
        bench.offer(Sample.third)
        #expect(bench.phase(Sample.third) == .ringingIn)
    }

    @Test func ringingStopsAndIsMissed() {
        var bench = Bench()
        bench.offer()
        #expect(bench.ask(.reset) == .fulfilled)
        #expect(!bench.machine.snapshot.ringing)
        #expect(bench.did(.refuse(Sample.first, .declined)))
        #expect(bench.machine.snapshot.missedCount == 1)
    }

    @Test func pendingActionsFailAndTheirGuardsOpen() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hold(Sample.first))
        #expect(bench.outcome(of: 1) == nil)
        bench.ask(.reset)
        #expect(bench.outcome(of: 1) == .failed(.callEnded(.hungUpHere)))
        #expect(bench.outcome(of: 2) == .fulfilled)
        #expect(bench.ask(.dial("5550100", account: nil)) == nil, "a call may start")
    }

    @Test func goodbyeThatNobodyConfirmsClosesNoGuard() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hangUp(nil))
        #expect(bench.ask(.reset) == .fulfilled)
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.machine.snapshot.calls.isEmpty)
    }

    @Test func changeOfTheOrganisationIsUndone() {
        var bench = Bench()
        var memory = PhoneMemory()
        memory.context = Sample.context("a")
        bench.post(.vault(.remembered(memory)))
        bench.ask(.switchOrganisation(OrganisationID("b")))
        #expect(bench.ask(.reset) == .fulfilled)
        #expect(bench.outcome(of: 1) == .failed(.organisation(.abandoned)))
        #expect(bench.machine.snapshot.switchingTo == nil)
    }

    @Test func idlePhoneStaysAsItIs() {
        var bench = Bench()
        let before = bench.machine.snapshot
        #expect(bench.ask(.reset) == .fulfilled)
        #expect(bench.machine.snapshot == before)
    }

    @Test func liftedHandsetHearsTheDialTone() {
        var bench = Bench()
        bench.talk()
        bench.ask(.reset)
        #expect(bench.machine.snapshot.tone == .dial)
    }
}

/// §7 and §11: the answers that programs get about calls, and a history that is not kept.
@Suite("Answers and ends for programs")
struct ProgramAnswerTests {
    @Test func dialledCallIsNamedBeforeItsActionIsSettled() {
        var bench = Bench()
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.log.contains(.control(.called(Sample.action(1), Sample.dialled))))
        #expect(bench.outcome(of: 1) == nil)
    }

    @Test func refusedDialNamesNoCall() {
        var bench = Bench()
        bench.ask(.dial("x", account: nil))
        #expect(!bench.log.contains { if case .control(.called) = $0 { true } else { false } })
    }

    private static func seconds(_ bench: Bench) -> [Int?] {
        bench.log.compactMap { if case .control(.notice(.callEnded(let call, _))) = $0 { call.seconds } else { nil } }
    }

    @Test func endHasTheSecondsSinceTheAnswer() {
        var bench = Bench()
        bench.talk()
        bench.run(.milliseconds(61_900))
        bench.ask(.hangUp(nil))
        bench.run(.milliseconds(1_500))
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(Self.seconds(bench) == [61], "the goodbye on the wire does not count")
    }

    @Test func unansweredCallHasNoSeconds() {
        var bench = Bench()
        bench.offer()
        bench.run(.seconds(5))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(Self.seconds(bench) == [0])
    }

    @Test func historyIsNotKeptIfThePolicyForbidsIt() {
        var policy = Sample.policy
        policy.keepsNoHistory = true
        var bench = Bench(policy: policy)
        bench.post(.vault(.remembered(PhoneMemory())))
        #expect(bench.did(.vault(.clearHistory)), "what former runs kept is removed")
        bench.offer()
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.ends == [.cancelledThere] && bench.records.isEmpty)
        #expect(bench.machine.snapshot.missedCount == 1, "shown until it is seen")
    }

    @Test func historyIsKeptOtherwise() {
        var bench = Bench()
        bench.post(.vault(.remembered(PhoneMemory())))
        #expect(!bench.did(.vault(.clearHistory)))
    }
}

extension ProgramAnswerTests {
    @Test func serversWordsAreInTheEnd() {
        var bench = Bench()
        bench.talk()
        let long = String(repeating: "x", count: 500)
        bench.line(.endTold(Sample.first, ServerEnd(cause: "Q.850", code: 16, text: long)))
        #expect(bench.phase() == .active, "the end follows")
        bench.line(.ended(Sample.first, .hungUpThere))
        let told = bench.log.compactMap {
            if case .control(.notice(.callEnded(let call, _))) = $0 { call.serverEnd } else { nil }
        }
        #expect(told.map(\.code) == [16] && told.map(\.cause) == ["Q.850"])
        #expect(told.first?.text?.utf8.count ?? 0 <= 128, "a server may write as much as it likes")
    }
}
