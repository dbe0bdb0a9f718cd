import Base
import LineCore
import SIPCore

/// Three direct lines: Alice (0) transfers Bob (1), her far end, to Carol (2).
struct Transfers {
    var calls: Calls
    /// Bob's call to Carol.
    let followed = CallID(.phone, 50)
    /// Alice's call to Carol, before she transfers Bob.
    let asked = CallID(.phone, 2)

    init(seed: UInt64 = 1, weather: World.Weather = .init(), accepts: LineConfiguration.Accepts = .anyone) {
        calls = Calls(seed: seed, weather: weather)
        calls.world.add(Calls.direct("carol", accepts: accepts))
        calls.connect()
    }

    static let carol = "sip:carol@\(World.endpoint(2).host)"

    var aliceLeg: CallID { calls.caller }
    var bobLeg: CallID { calls.called }

    /// Alice transfers Bob to Carol, and Bob calls her.
    mutating func refer(to target: String = Self.carol) {
        calls.world.command(0, .transfer(aliceLeg, to: target))
        follow()
    }

    mutating func follow() {
        calls.runUntil(within: .seconds(30)) { !$0.referrals(1).isEmpty }
        calls.world.command(1, .follow(followed, after: bobLeg, account: .direct, MediaEndpoint(port: 6_000)))
        calls.runUntil(within: .seconds(30)) { !$0.offeredLegs(2).isEmpty }
        calls.world.run(.seconds(1))
    }

    /// Alice calls Carol, and talks to her.
    mutating func consult() {
        calls.world.command(0, .dial(asked, target: Self.carol, account: .direct, MediaEndpoint(port: 4_100)))
        calls.runUntil(within: .seconds(40)) { !$0.offeredLegs(2).isEmpty }
        calls.world.command(2, .answer(CallID(.line(.direct), 1), MediaEndpoint(port: 7_000), awaitingACK: false))
        calls.world.run(.seconds(10))
    }
}

extension World {
    func transfers(_ line: Int) -> [LineOutput] {
        outputs(line).filter {
            switch $0 {
            case .event(.transferSettled), .event(.transferred): true
            default: false
            }
        }
    }

    func referrals(_ line: Int) -> [String] {
        outputs(line).compactMap { if case .event(.referred(_, let number)) = $0 { number } else { nil } }
    }

    func replaced(_ line: Int) -> [CallID?] {
        outputs(line).compactMap {
            if case .event(.offered(_, let caller)) = $0 { .some(caller.replaces) } else { nil }
        }
    }
}
