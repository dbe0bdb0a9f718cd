import Base
import LineCore
import SIPCore
import Testing

@Suite("Crowds of strangers")
struct CrowdTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    /// A registered line after so many requests of a stranger, one per millisecond.
    private func crowded(_ count: Int, _ method: SIPMethod = .options) -> World {
        var world = World.registered()
        for number in 0..<count {
            let knock = Stranger(callID: "crowd-\(number)").request(
                method, branch: "z9hG4bK-\(number)", extra: [(.maxForwards, "70")])
            world.carry(knock.bytes, from: stranger.endpoint, to: World.endpoint(0))
            world.run(.milliseconds(1))
        }
        world.run(.milliseconds(20))
        return world
    }

    @Test(
        "in a flood of strangers the line still calls, is called by its server, and sends BYE",
        arguments: [SIPMethod.options, .invite])
    func inFloodOfStrangersLineStillCallsIsCalledByItsServer(_ method: SIPMethod) throws {
        var world = crowded(5_000, method)
        let own = CallID(.phone, 1)
        world.command(0, .dial(own, target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        #expect(world.agreed(0, own) != nil)
        world.command(0, .end(own))
        world.run(.seconds(1))
        #expect(world.ends(0, own) == [.hungUpHere])
        let behind = Stranger(World.serverEndpoint)
        world.receive(behind.invite().bytes, from: behind)
        #expect(world.offeredLegs(0) == [leg])
    }

    @Test("OPTIONS tells an unlisted caller only that calls are forbidden")
    func optionsTellsUnlistedCallerOnlyThatCallsAreForbidden() {
        let world = crowded(1)
        #expect(world.caughtStatuses == [403])
        #expect(world.caughtMessages.allSatisfy { !$0.headers.contains(.allow) })
    }
}
