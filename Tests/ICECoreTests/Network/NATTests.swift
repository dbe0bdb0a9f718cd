import Base
import ICECore
import Testing

@Suite("Two phones behind NATs of every kind")
struct NATTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let caller: Access
        let callee: Access
        var testDescription: String { "\(caller) calls \(callee)" }
    }

    static let pairs = Access.all.flatMap { caller in Access.all.map { Pair(caller: caller, callee: $0) } }

    @Test("they find each other directly where theory lets them, and through TURN otherwise", arguments: pairs)
    func theory(_ pair: Pair) {
        for seed in 0..<UInt64(3) {
            var world = World(seed: seed, weather: .init(lossProbability: 0.0, jitter: 2_000))
            world.addPhone(pair.caller, role: .controlling, isTrickling: seed.isMultiple(of: 2))
            world.addPhone(pair.callee, role: .controlled, isTrickling: seed.isMultiple(of: 3))
            world.call()
            let agree = world.run(for: .seconds(30)) { $0.phones.allSatisfy { $0.state == .completed } }
            #expect(agree, "seed \(seed), \(world.internet.weather)")
            let isDirect = world.phones.allSatisfy { $0.path?.isRelayed == false }
            #expect(
                isDirect == pair.caller.reachesDirectly(pair.callee),
                "seed \(seed), \(String(describing: world.phones[0].path))")
            if seed == 0 {
                print(
                    pair.testDescription, isDirect,
                    world.phones.map {
                        [$0.firstPathAt?.nanoseconds ?? 0, $0.agreedAt?.nanoseconds ?? 0].map { $0 / 1_000_000 }
                    })
            }
        }
    }
}
