import Base
import PhoneCore
import Testing

/// §7: missed calls, history, crash recovery, and settings after a restart.
@Suite("Stored data")
struct KeptTests {
    private static func miss(_ bench: inout Bench, _ id: CallID) {
        bench.line(.offered(id, Sample.caller))
        bench.line(.ended(id, .cancelledThere))
    }

    @Test func missedCallsClearSingly() {
        var bench = Bench()
        Self.miss(&bench, Sample.first)
        bench.run(.seconds(3))
        Self.miss(&bench, Sample.second)
        #expect(bench.machine.snapshot.missed.map(\.call) == [Sample.first, Sample.second])
        #expect(bench.ask(.clearMissedCalls(Sample.first)) == .fulfilled)
        #expect(bench.did(.vault(.missedCallsSeen(.zero))))
        #expect(bench.lamp(.message) == .on)
        #expect(!bench.noticed(.missedCallsSeen))
        #expect(bench.ask(.clearMissedCalls(Sample.first)) == .failed(.noSuchCall))
        #expect(bench.ask(.clearMissedCalls(Sample.second)) == .fulfilled)
        #expect(bench.lamp(.message) == .off)
        #expect(bench.noticed(.missedCallsSeen))
    }

    @Test func allMissedCallsClear() {
        var bench = Bench()
        var memory = PhoneMemory()
        memory.unseenMissedCalls = 4
        bench.post(.vault(.remembered(memory)))
        Self.miss(&bench, Sample.first)
        #expect(bench.machine.snapshot.missedCount == 5)
        #expect(bench.ask(.clearMissedCalls(nil)) == .fulfilled)
        #expect(bench.did(.vault(.missedCallsSeen(nil))))
        #expect(bench.machine.snapshot.missedCount == 0)
        bench.forget()
        bench.ask(.clearMissedCalls(nil))
        #expect(!bench.did(.vault(.missedCallsSeen(nil))), "there were none")
    }

    @Test func manyMissedCallsAreCounted() {
        var bench = Bench()
        for number in 1...150 as ClosedRange<UInt32> { Self.miss(&bench, CallID(.line(.direct), number)) }
        #expect(bench.machine.snapshot.missed.count == 100)
        #expect(bench.machine.snapshot.missedCount == 150)
    }

    @Test(
        arguments: [
            (.cancelledThere, .remoteHungUp), (.hungUpThere, .remoteHungUp), (.answeredElsewhere, nil),
            (.unreachable, .failed),
        ] as [(EndReason, MissedReason?)])
    func endReasonIsPlainText(_ reason: EndReason, _ missed: MissedReason?) {
        var bench = Bench()
        bench.offer()
        bench.line(.ended(Sample.first, reason))
        #expect(bench.records.map(\.missed) == [missed])
    }

    @Test func historyHasOrganisation() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(organisation: "b"))))
        bench.run(.seconds(5))
        #expect(bench.records.map(\.organisation) == ["Org b"])
    }

    // MARK: After a crash

    @Test func orphanedCallSendsItsBYE() {
        var bench = Bench()
        var orphan = PersistedCall(
            call: "out-7", direction: .outgoing, number: "123", name: "Ada", account: AccountID(2), started: .zero,
            answered: .zero)
        bench.post(.vault(.orphanFound(orphan)))
        #expect(!bench.log.contains { if case .line = $0 { true } else { false } }, "nothing is known of it")
        orphan.memo = "BYE"
        bench.post(.vault(.orphanFound(orphan)))
        #expect(bench.did(.orphanBye(AccountID(2), memo: "BYE")))
        #expect(bench.records.map(\.reason) == [.interrupted, .interrupted])
        #expect(bench.records.map(\.name) == ["Ada", "Ada"])
        #expect(bench.did(.vault(.clearPersisted)))
    }

    @Test func memoIsStoredWithCallInAnyOrder() {
        for early in [true, false] {
            var bench = Bench()
            bench.offer()
            bench.lift()
            bench.line(.answered(Sample.first, Sample.plan))
            if early { bench.line(.memo(Sample.first, "memo")) }
            bench.media(.ready(Sample.first))
            if !early { bench.line(.memo(Sample.first, "memo")) }
            let kept = bench.log.compactMap { if case .vault(.persist(let call)) = $0 { call.memo } else { nil } }
            #expect(kept == ["memo"])
        }
    }

    @Test func settingsSurviveRestart() {
        var bench = Bench()
        var memory = PhoneMemory()
        memory.settings.callVolume = 2
        memory.lastDialled = "5550101"
        bench.post(.vault(.remembered(memory)))
        #expect(bench.did(.volume(.call, 2)))
        bench.post(.panel(.hookFound(.onHook)))
        bench.press(.redial)
        #expect(bench.summary(Sample.dialled)?.number == "5550101")
    }

    @Test func contactsLoadAtStart() {
        var memory = PhoneMemory()
        memory.contacts = [Sample.contact]
        var bench = Bench()
        bench.post(.vault(.remembered(memory)))
        bench.offer()
        #expect(bench.summary()?.name == "Ada Lovelace")
    }

    @Test func contactsAreLimited() {
        var bench = Bench()
        let many = (0..<1_001).map { Contact(name: "Contact \($0)", number: "\(5_550_000 + $0)") }
        bench.post(.vault(.contacts(many)))
        bench.line(.offered(Sample.first, Caller(number: "5550999", account: .direct)))
        bench.line(.offered(Sample.second, Caller(number: "5551000", account: .direct)))
        #expect(bench.summary()?.name == "Contact 999")
        #expect(bench.summary(Sample.second)?.name == nil)
    }
}
