import Base
import PhoneCore
import Testing

/// §3 and §7: a call that rings survives a crash, and missed calls of former runs are listed and cleared.
@Suite("Calls that rang when the program was interrupted")
struct InterruptedRingingTests {
    private static func kept(_ effects: [PhoneEffect]) -> [RingingCall] {
        effects.compactMap { if case .vault(.persistRinging(let call)) = $0 { call } else { nil } }
    }

    private static let found = RingingCall(
        call: "in-0.1", number: "+12125550100", name: "Ada", called: "+12125550199",
        organisation: Sample.context("b").organisation, account: AccountID(4), started: .zero)

    @Test func isKeptAtItsAnnouncementAndClearedAtItsEnd() {
        var bench = Bench()
        let effects = bench.post(.line(.offered(Sample.first, Sample.caller)))
        #expect(Self.kept(effects).map(\.number) == ["+15550100"])
        #expect(Self.kept(effects).map(\.call) == [Sample.first.description])
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.did(.vault(.clearRinging(Sample.first.description))))
        let order = bench.log.compactMap { if case .vault(let effect) = $0 { effect } else { nil } }
        #expect(order.last == .clearRinging(Sample.first.description), "its record comes first")
    }

    @Test func newestFactsAboutItsCallerAreKept() {
        var bench = Bench()
        bench.line(.offered(Sample.first, Caller(number: "2125550100", account: .direct)))
        let info = CallerInfo(
            number: "+12125550100", name: "Ada", channel: "+12125550199",
            organisation: Sample.context("b").organisation, sent: .zero)
        let kept = Self.kept(bench.post(.callerInfo(.incoming(info))))
        #expect(kept.map(\.number) == ["+12125550100"] && kept.map(\.name) == ["Ada"])
        #expect(kept.map(\.called) == ["+12125550199"] && kept.map(\.organisation?.id.rawValue) == ["b"])
        #expect(Self.kept(bench.post(.callerInfo(.incoming(info)))).isEmpty, "nothing new")
    }

    @Test func callThatIsUpIsKeptAsSuch() {
        var bench = Bench()
        bench.talk()
        let up = bench.log.firstIndex { if case .vault(.persist) = $0 { true } else { false } }
        let quiet = bench.log.firstIndex { if case .vault(.clearRinging) = $0 { true } else { false } }
        #expect(up.map { up in quiet.map { up < $0 } ?? false } == true)
    }

    @Test func refusedCallIsNotKept() {
        var bench = Bench()
        bench.ask(.doNotDisturb(true))
        bench.offer()
        #expect(Self.kept(bench.log).isEmpty)
    }

    @Test func nextStartRecordsItAsMissed() {
        var bench = Bench()
        bench.post(.vault(.ringingFound(Self.found)))
        let record = bench.records.first
        #expect(record?.reason == .interrupted && record?.missed == .interrupted && record?.direction == .incoming)
        #expect(record?.number == "+12125550100" && record?.name == "Ada" && record?.called == "+12125550199")
        #expect(record?.organisation == "Org b" && record?.account == AccountID(4) && record?.started == .zero)
        #expect(bench.did(.vault(.clearRinging("in-0.1"))))
        #expect(bench.machine.snapshot.missedCount == 1)
        let missed = bench.machine.snapshot.missed.first
        #expect(missed?.organisation == "Org b" && missed?.account == AccountID(4) && missed?.reason == .interrupted)
        #expect(bench.lamp(.message) == .on)
        #expect(!bench.log.contains { if case .line = $0 { true } else { false } })
    }

    /// Lines number their calls from the start on.
    @Test func callThatRingsUnderTheSameNameStaysKept() {
        var bench = Bench()
        bench.offer()
        bench.post(.vault(.ringingFound(Self.found)))
        #expect(!bench.did(.vault(.clearRinging("in-0.1"))), "the vault has the new call in its place")
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.did(.vault(.clearRinging("in-0.1"))))
        #expect(bench.machine.snapshot.missedCount == 2)
    }

    @Test func callerWhoCallsAgainAfterTheCrashIsHeard() {
        var bench = Bench()
        bench.post(.vault(.ringingFound(Self.found)))
        bench.line(.offered(Sample.first, Caller(number: "2125550100", account: .direct)))
        #expect(bench.phase() == .ringingIn)
    }

    // MARK: Missed calls of former runs

    private static func former(_ count: Int, unseen: Int? = nil) -> PhoneMemory {
        var memory = PhoneMemory()
        memory.unseenMissedCalls = unseen ?? count
        memory.missed = (0..<count).map { number in
            MissedCall(
                call: CallID(.past, UInt32(number + 1)), number: "55501\(number)", name: "Ada", organisation: "Acme",
                account: AccountID(4), at: Instant.zero - Duration.seconds(100 - number), reason: .timeout)
        }
        return memory
    }

    @Test func missedCallsOfFormerRunsAreListed() {
        var bench = Bench()
        bench.line(.offered(Sample.first, Sample.caller))
        bench.line(.ended(Sample.first, .cancelledThere))
        bench.post(.vault(.remembered(Self.former(2, unseen: 5))))
        let snapshot = bench.machine.snapshot
        #expect(snapshot.missed.map(\.call.description) == ["past-1", "past-2", "in-0.1"])
        #expect(snapshot.missed.first?.organisation == "Acme" && snapshot.missed.first?.account == AccountID(4))
        #expect(snapshot.missedCount == 6)
    }

    @Test func oneOfAFormerRunIsCleared() {
        var bench = Bench()
        bench.post(.vault(.remembered(Self.former(2))))
        #expect(bench.ask(.clearMissedCalls(CallID(.past, 1))) == .fulfilled)
        #expect(bench.did(.vault(.formerMissedCallSeen(1))))
        #expect(bench.machine.snapshot.missed.map(\.call.number) == [2])
        #expect(bench.machine.snapshot.missedCount == 1)
        #expect(bench.ask(.clearMissedCalls(CallID(.past, 1))) == .failed(.noSuchCall))
        #expect(bench.ask(.clearMissedCalls(CallID(.past, 2))) == .fulfilled)
        #expect(bench.noticed(.missedCallsSeen))
    }

    @Test func manyOfFormerRunsAreBounded() {
        var bench = Bench()
        bench.post(.vault(.remembered(Self.former(150, unseen: 400))))
        #expect(bench.machine.snapshot.missed.count == 100)
        #expect(bench.machine.snapshot.missed.last?.call == CallID(.past, 150))
        #expect(bench.machine.snapshot.missedCount == 400)
    }
}
