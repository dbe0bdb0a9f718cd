import Base
import LineCore
import SIPCore
import Testing

@Suite("Random input in random order")
struct RandomWalkTests {
    /// Garbage: noise, and our own messages with a few bytes changed.
    private static func rubbish(_ generator: inout SeededGenerator) -> [UInt8] {
        let methods: [SIPMethod] = [.bye, .prack, .update, .cancel]
        let method = methods[Int.random(in: 0..<methods.count, using: &generator)]
        let words: [(SIPHeaderName, String)] = [
            (.rAck, "1 10 INVITE"), (.sessionExpires, "90;refresher=uac"), (.require, "100rel, timer"),
        ]
        var bytes =
            Bool.random(using: &generator)
            ? Stranger().invite().bytes : Stranger().request(method, toTag: "x", extra: words).bytes
        if Int.random(in: 0..<4, using: &generator) == 0 {
            return (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
        }
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                in: .min ... .max, using: &generator)
        }
        return bytes
    }

    @Test("garbage at any moment breaks no call", arguments: 0..<20)
    func garbageAtAnyMomentBreaksNoCall(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Listed: a damaged but readable INVITE is refused, and cannot take the test's legs.
        var world = World(seed: seed)
        world.add(Calls.direct("alice", accepts: .listed(["192.0.2.2"])))
        world.add(Calls.direct("bob", accepts: .listed(["192.0.2.1"])))
        func pelt(_ world: inout World) {
            for _ in 0..<30 {
                for line in 0..<2 {
                    let from = Flow.Endpoint("203.0.113.9", 5060)
                    world.carry(Self.rubbish(&generator), from: from, to: World.endpoint(line))
                }
                world.run(.milliseconds(10))
            }
        }
        let (caller, called) = (CallID(.phone, 1), CallID(.line(.direct), 1))
        pelt(&world)
        world.command(0, .dial(caller, target: "sip:bob@192.0.2.2", account: .direct, MediaEndpoint(port: 4_000)))
        pelt(&world)
        world.command(1, .answer(called, MediaEndpoint(port: 5_000), awaitingACK: false))
        pelt(&world)
        world.command(1, .hold(called, true))
        pelt(&world)
        #expect(world.agreed(0, caller) != nil && world.agreed(1, called) != nil)
        #expect(world.settled(1, called).map { $0 != nil } == [true])
        world.command(0, .end(caller))
        pelt(&world)
        #expect(world.ends(0, caller) == [.hungUpHere] && world.ends(1, called) == [.hungUpThere])
    }

    /// Goal: whatever two people do on a bad network, each leg ends once, and no report follows. Every second walk
    /// leads through a proxy that requires reliable ringing, every fourth past one that forbids UPDATE. Sessions are
    /// short enough to be refreshed, and to expire.
    @Test("two lines survive random commands on a bad network", arguments: 0..<80)
    func twoLinesSurviveRandomCommandsOnBadNetwork(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var world = World(seed: seed)
        world.weather = .init(lossPercent: 15, duplicatePercent: 15, delayMilliseconds: 300)
        for user in ["alice", "bob"] {
            var configuration = Calls.direct(user)
            configuration.sessionExpires = 90
            world.add(configuration)
        }
        world.meddle = { message in
            guard seed.isMultiple(of: 2) else { return }
            message.inInvite { headers in
                headers.set(.require, tokens: ["100rel"])
                if seed.isMultiple(of: 4) { headers.set(.allow, tokens: ["INVITE", "ACK", "CANCEL", "BYE", "PRACK"]) }
            }
        }
        var invited: UInt32 = 0
        for _ in 0..<150 {
            let line = Int.random(in: 0..<2, using: &generator)
            invited += 1
            let legs = Self.known(world, line)
            let leg = legs.randomElement(using: &generator) ?? CallID(.phone, 999)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                let target = "sip:x@\(World.endpoint(1 - line).host)"
                world.command(
                    line, .dial(CallID(.phone, invited), target: target, account: .direct, MediaEndpoint(port: 4_000)))
            case 1: world.command(line, .alert(leg))
            case 2, 3:
                let awaits = Bool.random(using: &generator)
                world.command(line, .answer(leg, MediaEndpoint(port: 5_000), awaitingACK: awaits))
            case 4: world.command(line, .hold(leg, Bool.random(using: &generator)))
            case 5: world.command(line, .refuse(leg, .declined))
            case 6:
                world.move(line, to: Bool.random(using: &generator) ? "198.51.100.\(invited)" : nil)
                world.command(line, .move(leg, nil))
            case 7: world.command(line, .transfer(leg, to: "sip:y@\(World.endpoint(1 - line).host)"))
            case 8:
                world.command(
                    line, .follow(CallID(.phone, invited), after: leg, account: .direct, MediaEndpoint(port: 4_000)))
            default: world.command(line, .end(leg))
            }
            world.run(.milliseconds(Int.random(in: 0...1_500, using: &generator)))
        }
        for line in 0..<2 { world.command(line, .shutDown) }
        world.run(.seconds(300))
        for line in 0..<2 { Self.check(world, line, seed) }
        #expect(world.lines.allSatisfy { $0.deadline == nil }, "seed \(seed): something is left to do")
    }

    private static func known(_ world: World, _ line: Int) -> [CallID] {
        world.offeredLegs(line)
            + world.outputs(line).compactMap { if case .event(.offerSent(let leg)) = $0 { leg } else { nil } }
    }

    /// Nil for an event that is not about one call.
    private static func leg(of event: LineEvent) -> CallID? {
        switch event {
        case .offered(let leg, _), .offerSent(let leg), .ringing(let leg), .earlyMedia(let leg, _),
            .answered(let leg, _), .memo(let leg, _), .renegotiated(let leg, _, _), .displayUpdated(let leg, _, _, _),
            .holdSettled(let leg, _), .holdDelayed(let leg, _), .moved(let leg, _), .dtmfReceived(let leg, _),
            .dtmfSent(let leg, _), .transferSettled(let leg, _), .transferred(let leg, _), .referred(let leg, _),
            .redirected(let leg, _), .endTold(let leg, _), .ended(let leg, _):
            leg
        case .refused, .registration, .watched, .messagesWaiting, .text: nil
        }
    }

    private static func check(_ world: World, _ line: Int, _ seed: UInt64) {
        var over: Set<CallID> = []
        var legs: Set<CallID> = []
        for output in world.outputs(line) {
            guard case .event(let event) = output, let leg = Self.leg(of: event) else { continue }
            #expect(!over.contains(leg), "seed \(seed): \(output) after the end")
            legs.insert(leg)
            if case .ended = event { over.insert(leg) }
        }
        #expect(legs == over, "seed \(seed): a leg has no end")
        #expect(world.outputs(line).last == .finished || world.outputs(line).contains(.finished), "seed \(seed)")
    }
}
