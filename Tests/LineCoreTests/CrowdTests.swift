import Base
import LineCore
import SIPCore
import Testing

@Suite("Crowds of strangers")
struct CrowdTests {
    private let stranger = Stranger()
    private let leg = LegID(.remote, 1)

    /// A registered line to which a stranger has sent so many requests, a millisecond apart.
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
        "in the middle of a crowd the line calls, is called by its server, and sends BYE",
        arguments: [SIPMethod.options, .invite])
    func served(_ method: SIPMethod) throws {
        var world = crowded(5_000, method)
        let own = LegID(.local, 1)
        world.command(0, .invite(own, target: "555", media: LocalMedia(port: 4_000)))
        world.run(.seconds(1))
        #expect(world.agreed(0, own) != nil)
        world.command(0, .end(own))
        world.run(.seconds(1))
        #expect(world.ends(0, own) == [.hungUpHere])
        let behind = Stranger(World.serverEndpoint)
        world.receive(behind.invite().bytes, from: behind)
        #expect(world.offeredLegs(0) == [leg])
    }

    @Test("who may not call is told so by OPTIONS too, and nothing else")
    func forbidden() {
        let world = crowded(1)
        #expect(world.caughtStatuses == [403])
        #expect(world.caughtMessages.allSatisfy { !$0.headers.contains(.allow) })
    }
}
