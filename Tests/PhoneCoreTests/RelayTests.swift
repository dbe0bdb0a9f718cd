import Base
import PhoneCore
import Testing

/// §13: doors and inputs of a kiosk.
@Suite("Relays and inputs")
struct RelayTests {
    private static func policy(once: Bool = false) -> PhonePolicy {
        var policy = Sample.policy
        let code = RelayCode([.four, .seven, .one, .one], callers: [ListedCaller("+15550100")])
        policy.relays = [
            1: RelayPolicy(code: code, pulse: .seconds(3), once: once), 2: RelayPolicy(pulse: .seconds(1)),
        ]
        return policy
    }

    private static func talking(_ policy: PhonePolicy = policy()) -> Bench {
        var bench = Bench(policy: policy)
        bench.talk()
        return bench
    }

    private static func dial(_ bench: inout Bench, _ symbols: String = "4711#", _ call: CallID = Sample.first) {
        for symbol in symbols.compactMap({ DTMFSymbol($0) }) { bench.media(.dtmfReceived(call, symbol)) }
    }

    private static func isOpen(_ bench: Bench) -> Bool {
        bench.log.contains { if case .panel(.pulse(1, until: _)) = $0 { true } else { false } }
    }

    private static func outcomes(_ bench: Bench) -> [CodeOutcome] {
        bench.log.compactMap { if case .control(.notice(.codeTried(_, let outcome))) = $0 { outcome } else { nil } }
    }

    @Test func correctCodeOpensDoor() {
        var bench = Self.talking()
        Self.dial(&bench, "4711")
        #expect(!Self.isOpen(bench), "it is whole with its terminator only")
        Self.dial(&bench, "#")
        #expect(Self.isOpen(bench) && bench.noticed(.relayChanged(1, on: true)))
        #expect(Self.outcomes(bench) == [.right(relay: 1)])
        #expect(bench.machine.snapshot.panel?.relays == [1])
        bench.run(.milliseconds(2_999))
        #expect(!bench.did(.panel(.relay(1, on: false))))
        bench.run(.milliseconds(1))
        #expect(bench.did(.panel(.relay(1, on: false))) && bench.machine.snapshot.panel == nil)
    }

    @Test func signalledDigitsCountLikeTones() {
        var bench = Self.talking()
        for symbol: DTMFSymbol in [.four, .seven, .one, .one, .pound] {
            bench.line(.dtmfReceived(Sample.first, symbol))
        }
        #expect(Self.isOpen(bench))
    }

    @Test func singleUseCodeWorksOncePerCall() {
        for once in [true, false] {
            var bench = Self.talking(Self.policy(once: once))
            Self.dial(&bench)
            #expect(Self.isOpen(bench))
            bench.run(.seconds(4))
            bench.forget()
            Self.dial(&bench)
            #expect(Self.isOpen(bench) != once)
        }
    }

    // MARK: Tries of other callers

    /// Every code of four digits is in this row of 10,003. Without a terminator it opens nothing; with one it is one
    /// attempt.
    @Test func sequenceOfAllCodesOpensNothing() {
        var bench = Self.talking()
        for symbol in Self.deBruijn { bench.line(.dtmfReceived(Sample.first, symbol)) }
        #expect(!Self.isOpen(bench) && Self.outcomes(bench).isEmpty)
        Self.dial(&bench, "#")
        #expect(!Self.isOpen(bench) && Self.outcomes(bench) == [.wrong(left: 2)])
    }

    /// The same with a terminator after each digit, after four, and after five: three attempts, and then a lock.
    @Test(arguments: [1, 4, 5]) func threeWrongCodesLock(length: Int) {
        var bench = Self.talking()
        for (place, symbol) in Self.deBruijn.enumerated() {
            bench.line(.dtmfReceived(Sample.first, symbol))
            if place % length == length - 1 { bench.line(.dtmfReceived(Sample.first, .pound)) }
        }
        #expect(!Self.isOpen(bench))
        #expect(Self.outcomes(bench).prefix(3) == [.wrong(left: 2), .wrong(left: 1), .locked(seconds: 60)])
        #expect(Self.outcomes(bench).dropFirst(3).allSatisfy { $0 == .locked(seconds: 60) })
    }

    @Test func lockSpansCallsAndGrows() {
        var bench = Self.talking()
        var seconds = 60
        for _ in 0..<4 {
            for _ in 0..<3 { Self.dial(&bench, "0000#") }
            #expect(Self.outcomes(bench).last == .locked(seconds: seconds))
            bench.run(.seconds(seconds - 1))
            Self.dial(&bench)
            #expect(!Self.isOpen(bench), "while locked, even the correct code is rejected")
            bench.run(.seconds(1))
            seconds *= 2
        }
        bench.line(.ended(Sample.first, .hungUpThere))
        bench.replace()
        bench.offer(Sample.second)
        bench.lift()
        bench.connect(Sample.second)
        for _ in 0..<3 { Self.dial(&bench, "0000#", Sample.second) }
        #expect(Self.outcomes(bench).last == .locked(seconds: 960), "another call continues the count")
        bench.run(.seconds(960))
        Self.dial(&bench, "4711#", Sample.second)
        #expect(Self.isOpen(bench) && bench.machine.snapshot.settings.wrongCodes == 12)
    }

    @Test func lockSurvivesRestart() {
        var before = Self.talking()
        for _ in 0..<6 {
            Self.dial(&before, "0000#")
            before.run(.seconds(60))
        }
        let kept = before.log.compactMap { if case .vault(.keep(let settings)) = $0 { settings } else { nil } }
        var memory = PhoneMemory()
        memory.settings = kept[kept.count - 1]
        #expect(memory.settings.wrongCodes == 6)
        var after = Bench(policy: Self.policy())
        after.post(.vault(.remembered(memory)))
        after.talk()
        Self.dial(&after)
        #expect(!Self.isOpen(after) && Self.outcomes(after) == [.locked(seconds: 120)])
        after.run(.seconds(120))
        Self.dial(&after)
        #expect(Self.isOpen(after))
    }

    /// The vault may be read late, and may hold less than has happened by then.
    @Test func lateMemoryDoesNotForgiveWrongCodes() {
        var bench = Self.talking()
        for _ in 0..<2 { Self.dial(&bench, "0000#") }
        bench.post(.vault(.remembered(PhoneMemory())))
        Self.dial(&bench, "0000#")
        #expect(Self.outcomes(bench).last == .locked(seconds: 60))
    }

    @Test func slowDigitsFormOneCode() {
        var bench = Self.talking()
        Self.dial(&bench, "47")
        bench.run(.milliseconds(4_999))
        Self.dial(&bench, "11#")
        #expect(Self.isOpen(bench))
    }

    /// The longest code has fifteen digits. A longer row is no code, whatever its first digits are.
    @Test func tooManyDigitsAreNoCode() {
        var policy = Self.policy()
        let digits = "123456789012345"
        policy.relays[1]?.code = RelayCode(
            digits.compactMap(DTMFSymbol.init), callers: [ListedCaller("+15550100")])
        var bench = Bench(policy: policy)
        bench.talk()
        Self.dial(&bench, digits + "6#")
        #expect(!Self.isOpen(bench) && Self.outcomes(bench) == [.wrong(left: 2)])
        Self.dial(&bench, digits + "#")
        #expect(Self.isOpen(bench))
    }

    @Test func codeHasFourToFifteenDigitsWithoutTerminator() {
        let digits = "123456789012345".compactMap(DTMFSymbol.init)
        #expect(RelayCode.isCode(digits) && RelayCode.isCode(Array(digits.prefix(4))))
        #expect(!RelayCode.isCode(digits + [.one]) && !RelayCode.isCode(Array(digits.prefix(3))))
        #expect(!RelayCode.isCode([.one, .two, .pound, .four]))
    }

    @Test func pauseStartsNewCode() {
        var bench = Self.talking()
        Self.dial(&bench, "47")
        bench.run(.seconds(5))
        Self.dial(&bench, "11#")
        #expect(!Self.isOpen(bench) && Self.outcomes(bench) == [.wrong(left: 2)])
        Self.dial(&bench, "12")
        bench.run(.seconds(5))
        Self.dial(&bench)
        #expect(Self.isOpen(bench), "after a wrong start the caller waits and dials the whole code")
    }

    @Test(
        "only a listed caller whose number is vouched for opens the door",
        arguments: [
            (nil, 0, false), (AssertedNumber("+15550100"), 0, true), (AssertedNumber("15550100"), 0, false),
            (AssertedNumber("+15550100", domain: "other.example"), 0, false), (AssertedNumber("5550111"), 0, false),
            (AssertedNumber("+15550100"), 1, false),
        ] as [(AssertedNumber?, Int64, Bool)])
    func onlyListedVouchedCallersOpenDoor(vouched: AssertedNumber?, account: Int64, isHeard: Bool) {
        var policy = Self.policy()
        policy.relays[1]?.code?.accounts = [.direct]
        var bench = Bench(policy: policy)
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.line(
            .offered(Sample.first, Caller(number: "+15550100", account: AccountID(account), vouched: vouched)))
        bench.media(.opened(Sample.first, Sample.endpoint))
        bench.lift()
        bench.connect()
        for _ in 0..<5 { Self.dial(&bench) }
        #expect(Self.isOpen(bench) == isHeard)
        #expect(Self.outcomes(bench).isEmpty != isHeard, "a stranger cannot lock it either")
    }

    @Test func calleeMayOpenDoorIfAllowed() {
        for isAllowed in [true, false] {
            var policy = Self.policy()
            policy.relays[1]?.code?.callers = [ListedCaller("5550100")]
            if isAllowed { policy.relays[1]?.code?.directions = [.outgoing] }
            var bench = Bench(policy: policy)
            bench.dial()
            bench.line(.answered(Sample.dialled, Sample.plan))
            bench.media(.ready(Sample.dialled))
            Self.dial(&bench, "4711#", Sample.dialled)
            #expect(Self.isOpen(bench) == isAllowed)
        }
    }

    /// The callee is the user at the host of the address; other parts of the address do not count.
    @Test(arguments: [
        ("sip:gate@host.example:5061;transport=tls", ListedCaller("gate", domain: "host.example"), true),
        ("sip:gate:pw@HOST.example?Subject=x", ListedCaller("gate", domain: "host.example"), true),
        ("sip:gate@[2001:db8::1]:5060", ListedCaller("gate", domain: "2001:db8::1"), true),
        ("sip:gate@host.example", ListedCaller("gate", domain: "ost.example"), false),
    ])
    func calleeIsIdentifiedByDialledAddress(address: String, listed: ListedCaller, isAllowed: Bool) {
        var policy = Self.policy()
        policy.relays[1]?.code?.callers = [listed]
        policy.relays[1]?.code?.directions = [.outgoing]
        var bench = Bench(policy: policy)
        bench.ask(.dial(address, account: nil))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.offerSent(Sample.dialled))
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        Self.dial(&bench, "4711#", Sample.dialled)
        #expect(Self.isOpen(bench) == isAllowed)
    }

    @Test func codeBeforeAnswerOpensNothing() {
        var bench = Bench(policy: Self.policy())
        bench.offer()
        Self.dial(&bench)
        #expect(!Self.isOpen(bench))
    }

    @Test func codeOnHoldOpensNothing() {
        var bench = Self.talking()
        bench.holdFirst()
        Self.dial(&bench)
        #expect(!Self.isOpen(bench))
    }

    @Test func requestSwitchesRelay() {
        var bench = Bench(policy: Self.policy())
        #expect(bench.ask(.relay(2, .pulse)) == .fulfilled)
        #expect(bench.did(.panel(.pulse(2, until: bench.now + .seconds(1)))), "the panel knows when it ends")
        bench.run(.seconds(1))
        #expect(bench.did(.panel(.relay(2, on: false))))
        bench.forget()
        bench.ask(.relay(2, .on))
        bench.run(.seconds(600))
        #expect(!bench.did(.panel(.relay(2, on: false))))
        bench.ask(.relay(2, .off))
        #expect(bench.did(.panel(.relay(2, on: false))))
        #expect(bench.ask(.relay(3, .on)) == .failed(.notSupported))
    }

    @Test func repeatedPulseEndsLater() {
        var bench = Bench(policy: Self.policy())
        bench.ask(.relay(2, .pulse))
        bench.run(.milliseconds(400))
        bench.forget()
        bench.ask(.relay(2, .pulse))
        #expect(bench.did(.panel(.pulse(2, until: bench.now + .seconds(1)))))
        #expect(!bench.noticed(.relayChanged(2, on: true)), "it was on before")
        bench.forget()
        bench.ask(.relay(2, .on))
        #expect(bench.did(.panel(.relay(2, on: true))), "and now it stays on")
        bench.run(.seconds(600))
        #expect(!bench.did(.panel(.relay(2, on: false))))
    }

    @Test func stoppingPhoneSwitchesRelaysOff() {
        var bench = Bench(policy: Self.policy())
        bench.ask(.relay(1, .on))
        bench.post(.shutDown)
        #expect(bench.did(.panel(.relay(1, on: false))))
    }

    @Test func inputChangesAreReported() {
        var bench = Bench()
        bench.post(.panel(.input("tamper", active: true)))
        #expect(bench.noticed(.inputChanged("tamper", active: true)))
    }

    /// A de Bruijn sequence of ten digits and length four, by the prefer-largest rule, unrolled.
    private static let deBruijn: [DTMFSymbol] = {
        var row = [0, 0, 0]
        var seen = Set<Int>()
        while true {
            let prefix = row.suffix(3).reduce(0) { $0 * 10 + $1 }
            guard let next = (0...9).reversed().first(where: { !seen.contains(prefix * 10 + $0) }) else { break }
            seen.insert(prefix * 10 + next)
            row.append(next)
        }
        return row.compactMap { DTMFSymbol(rawValue: UInt8($0)) }
    }()
}
