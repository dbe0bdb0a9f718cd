import Base
import PhoneCore
import Testing

/// §13's kiosk additions: doors, inputs.
@Suite("Relays and inputs")
struct RelayTests {
    private static func policy(once: Bool = false) -> PhonePolicy {
        var policy = Sample.policy
        policy.relays = [
            1: RelayPolicy(code: [.star, .one], pulse: .seconds(3), once: once), 2: RelayPolicy(pulse: .seconds(1)),
        ]
        return policy
    }

    private static func code(_ bench: inout Bench, _ symbols: [DialSymbol] = [.star, .one]) {
        for symbol in symbols { bench.media(.dtmfReceived(Sample.first, symbol)) }
    }

    @Test func theFarEndsCodeOpensTheDoor() {
        var bench = Bench(policy: Self.policy())
        bench.talk()
        Self.code(&bench, [.nine, .star, .star])
        #expect(!bench.did(.panel(.relay(1, on: true))))
        Self.code(&bench, [.one])
        #expect(bench.did(.panel(.relay(1, on: true))))
        #expect(bench.noticed(.relayChanged(1, on: true)))
        bench.run(.milliseconds(2_999))
        #expect(!bench.did(.panel(.relay(1, on: false))))
        bench.run(.milliseconds(1))
        #expect(bench.did(.panel(.relay(1, on: false))))
    }

    @Test func onceMeansOnceInACall() {
        for once in [true, false] {
            var bench = Bench(policy: Self.policy(once: once))
            bench.talk()
            Self.code(&bench)
            #expect(bench.did(.panel(.relay(1, on: true))))
            bench.run(.seconds(4))
            bench.forget()
            Self.code(&bench)
            #expect(bench.did(.panel(.relay(1, on: true))) != once)
        }
    }

    @Test func nobodyOpensItBeforeTheAnswer() {
        var bench = Bench(policy: Self.policy())
        bench.offer()
        Self.code(&bench)
        #expect(!bench.did(.panel(.relay(1, on: true))))
    }

    @Test func whoIsHeldOpensNothing() {
        var bench = Bench(policy: Self.policy())
        bench.talk()
        bench.holdFirst()
        Self.code(&bench)
        #expect(!bench.did(.panel(.relay(1, on: true))))
    }

    @Test func programsWorkIt() {
        var bench = Bench(policy: Self.policy())
        #expect(bench.ask(.relay(2, .pulse)) == .fulfilled)
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

    @Test func aPhoneThatStopsLetsGo() {
        var bench = Bench(policy: Self.policy())
        bench.ask(.relay(1, .on))
        bench.post(.shutDown)
        #expect(bench.did(.panel(.relay(1, on: false))))
    }

    @Test func inputsAreTold() {
        var bench = Bench()
        bench.post(.panel(.input("tamper", active: true)))
        #expect(bench.noticed(.inputChanged("tamper", active: true)))
    }
}
