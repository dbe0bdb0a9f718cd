import Base
import PhoneCore
import Testing

/// Wrong codes are counted per caller and relay. A correct code forgives some wrong codes of the same caller and relay
/// only.
@Suite("Tries of codes")
struct CodeTriesTests {
    private static let yard = ListedCaller("+15550100")
    private static let visitor = ListedCaller("5550111")

    /// Relay 1 opens to 1111, relay 2 to 5839, each for both callers.
    private static func policy(once: Bool = false) -> PhonePolicy {
        var policy = Sample.policy
        policy.maximumCalls = 4
        func code(_ digits: String) -> RelayCode {
            RelayCode(digits.compactMap { DTMFSymbol($0) }, callers: [yard, visitor])
        }
        policy.relays = [
            1: RelayPolicy(code: code("1111"), pulse: .seconds(1), once: once),
            2: RelayPolicy(code: code("5839"), pulse: .seconds(1)),
        ]
        return policy
    }

    private static func talking(_ policy: PhonePolicy = policy()) -> Bench {
        var bench = Bench(policy: policy)
        bench.talk()
        bench.forget()
        return bench
    }

    /// From here on, the second caller is in the call.
    private static func turn(_ bench: inout Bench) {
        bench.line(.ended(Sample.first, .hungUpThere))
        bench.replace()
        let caller = Caller(number: "5550111", account: .direct, vouched: AssertedNumber("5550111"))
        bench.line(.offered(Sample.second, caller))
        bench.media(.opened(Sample.second, Sample.endpoint))
        bench.lift()
        bench.connect(Sample.second)
        bench.forget()
    }

    private static func dial(_ bench: inout Bench, _ symbols: String, _ call: CallID = Sample.first) {
        for symbol in symbols.compactMap({ DTMFSymbol($0) }) { bench.media(.dtmfReceived(call, symbol)) }
    }

    private static func outcomes(_ bench: Bench) -> [CodeOutcome] {
        bench.log.compactMap { if case .control(.notice(.codeTried(_, let outcome))) = $0 { outcome } else { nil } }
    }

    private static func isOpen(_ bench: Bench, _ relay: UInt8) -> Bool {
        bench.log.contains { if case .panel(.pulse(relay, until: _)) = $0 { true } else { false } }
    }

    /// Two wrong codes for relay 2, then the caller's code for relay 1, and so on. This once gave unlimited tries.
    @Test(arguments: [false, true]) func correctCodeOfOneRelayForgivesNoOtherRelay(once: Bool) {
        var bench = Self.talking(Self.policy(once: once))
        Self.dial(&bench, "0000#0001#")
        Self.dial(&bench, "1111#")
        #expect(Self.outcomes(bench) == [.wrong(left: 2), .wrong(left: 1), .right(relay: 1)])
        bench.forget()
        Self.dial(&bench, "0002#")
        bench.forget()
        Self.dial(&bench, "5839#")
        #expect(!Self.isOpen(bench, 2), "three wrong ones have locked it, though it is right now")
        for _ in 0..<40 { Self.dial(&bench, "0003#0004#1111#") }
        Self.dial(&bench, "5839#")
        #expect(!Self.isOpen(bench, 2))
    }

    @Test func correctCodeForgivesThreeWrongOnes() {
        var bench = Self.talking()
        for _ in 0..<2 {
            Self.dial(&bench, "0000#0001#0002#")
            bench.run(.seconds(120))
        }
        #expect(bench.machine.snapshot.wrongCodes == 6)
        bench.forget()
        Self.dial(&bench, "5839#")
        #expect(Self.isOpen(bench, 2) && bench.machine.snapshot.wrongCodes == 6, "relay 1 still counts six")
        Self.dial(&bench, "1111#")
        #expect(bench.machine.snapshot.wrongCodes == 3)
        Self.dial(&bench, "0000#0001#0002#")
        #expect(Self.outcomes(bench).last == .locked(seconds: 120), "it continues at its place")
    }

    @Test func singleUseCodeForgivesOnce() {
        var bench = Self.talking(Self.policy(once: true))
        Self.dial(&bench, "1111#")
        Self.dial(&bench, "0000#0001#")
        Self.dial(&bench, "1111#")
        Self.dial(&bench, "0002#")
        #expect(Self.outcomes(bench).last == .locked(seconds: 60))
    }

    @Test func callersDoNotShareTries() {
        var bench = Self.talking()
        Self.dial(&bench, "0000#0001#0002#")
        #expect(Self.outcomes(bench).last == .locked(seconds: 60))
        Self.turn(&bench)
        Self.dial(&bench, "5839#", Sample.second)
        Self.dial(&bench, "1111#", Sample.second)
        #expect(Self.isOpen(bench, 2) && Self.isOpen(bench, 1))
        #expect(bench.machine.snapshot.wrongCodes == 3, "the first caller's count")
    }

    /// The first caller's wrong codes, kept by another process with its list in another order.
    private static func restarted(_ policy: PhonePolicy, forgetsCallers: Bool = false) -> Bench {
        var bench = Self.talking()
        for _ in 0..<2 {
            Self.dial(&bench, "0000#0001#0002#")
            bench.run(.seconds(120))
        }
        var memory = PhoneMemory()
        memory.settings = bench.machine.snapshot.settings
        if forgetsCallers { memory.settings.wrongCodesByCaller = nil }
        var after = Bench(policy: policy)
        after.post(.vault(.remembered(memory)))
        after.talk()
        after.forget()
        return after
    }

    @Test func callersKeepTheirOwnCountsAfterRestart() {
        var policy = Self.policy()
        for relay in [UInt8(1), 2] { policy.relays[relay]?.code?.callers.reverse() }
        var after = Self.restarted(policy)
        Self.dial(&after, "1111#")
        #expect(Self.outcomes(after) == [.locked(seconds: 120)])
        Self.turn(&after)
        Self.dial(&after, "1111#", Sample.second)
        #expect(Self.isOpen(after, 1) && after.machine.snapshot.wrongCodes == 6, "the other caller has dialled none")
        Self.dial(&after, "0000#0001#0002#", Sample.second)
        #expect(Self.outcomes(after).last == .locked(seconds: 60))
    }

    @Test func callerWhoLeftListIsForgotten() {
        var policy = Self.policy()
        for relay in [UInt8(1), 2] { policy.relays[relay]?.code?.callers = [Self.visitor] }
        #expect(Self.restarted(policy).machine.snapshot.wrongCodes == 0)
    }

    /// A vault of an older version has only the highest count of all callers and relays.
    @Test func worstCountAppliesToAllAfterUpdate() {
        var after = Self.restarted(Self.policy(), forgetsCallers: true)
        after.line(.ended(Sample.first, .hungUpThere))
        Self.turn(&after)
        Self.dial(&after, "1111#", Sample.second)
        #expect(Self.outcomes(after) == [.locked(seconds: 120)])
        after.run(.seconds(120))
        Self.dial(&after, "0000#0001#0002#", Sample.second)
        #expect(Self.outcomes(after).last == .locked(seconds: 240))
    }
}
