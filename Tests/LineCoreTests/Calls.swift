import Base
import LineCore
import SDPCore
import SIPCore

/// Two direct lines and the one call between them that most tests need.
struct Calls {
    var world: World
    let caller = CallID(.phone, 1)
    let called = CallID(.line(.direct), 1)

    static func direct(_ user: String, accepts: LineConfiguration.Accepts = .anyone) -> LineConfiguration {
        LineConfiguration(user: user, accepts: accepts)
    }

    /// - Parameter accepts: Which callers either line accepts.
    init(seed: UInt64 = 1, weather: World.Weather = .init(), accepts: LineConfiguration.Accepts = .anyone) {
        world = World(seed: seed)
        world.weather = weather
        world.add(Self.direct("alice", accepts: accepts))
        world.add(Self.direct("bob", accepts: accepts))
    }

    mutating func invite() {
        world.command(
            0, .dial(caller, target: "sip:bob@\(World.endpoint(1).host)", account: .direct, MediaEndpoint(port: 4_000)))
    }

    mutating func answer() { world.command(1, .answer(called, MediaEndpoint(port: 5_000), awaitingACK: false)) }

    /// Placed, alerted and answered, on a network that loses nothing for ever.
    mutating func connect() {
        invite()
        runUntil(within: .seconds(40)) { $0.offeredLegs(1).contains(CallID(.line(.direct), 1)) }
        world.command(1, .alert(called))
        world.run(.seconds(2))
        answer()
        runUntil(within: .seconds(40)) { $0.agreed(0, CallID(.phone, 1)) != nil }
        world.run(.seconds(10))
    }

    @discardableResult
    mutating func runUntil(within limit: Duration, _ holds: (World) -> Bool) -> Bool {
        let end = world.now + limit
        while world.now < end {
            if holds(world) { return true }
            world.run(.milliseconds(50))
        }
        return holds(world)
    }
}

extension World {
    /// The response to the leg.
    func agreed(_ line: Int, _ leg: CallID) -> NegotiatedMedia? {
        outputs(line).lazy.compactMap { if case .event(.answered(leg, let agreed)) = $0 { agreed } else { nil } }.first
    }

    /// The results of the leg's holds and resumes.
    func settled(_ line: Int, _ leg: CallID) -> [NegotiatedMedia?] {
        outputs(line).compactMap { if case .event(.holdSettled(leg, let agreed)) = $0 { .some(agreed) } else { nil } }
    }

    func renegotiated(_ line: Int, _ leg: CallID) -> [NegotiatedMedia] {
        outputs(line).compactMap { if case .event(.renegotiated(leg, let agreed, _)) = $0 { agreed } else { nil } }
    }

    /// Whether the far end holds the leg, in each report of new terms.
    func heldByFarEnd(_ line: Int, _ leg: CallID) -> [Bool] {
        outputs(line).compactMap { if case .event(.renegotiated(leg, _, let isHeld)) = $0 { isHeld } else { nil } }
    }
}

extension NegotiatedMedia {
    var direction: Direction { Direction(sends: sends, receives: receives) }
}
