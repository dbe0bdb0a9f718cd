import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Postponed changes")
struct PostponementTests {
    private let stranger = Stranger()
    private let leg = CallID(.phone, 1)

    /// A call to the stranger.
    private func connected(_ extra: [(SIPHeaderName, String)] = []) throws -> World {
        var world = World()
        world.add(Calls.direct("alice"))
        world.command(0, .dial(leg, target: "sip:x@203.0.113.9", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        let invite = try #require(world.caughtRequests.first)
        world.receive(
            stranger.success(to: invite, tag: "one", body: Stranger.answer, extra: extra).bytes, from: stranger)
        return world
    }

    /// Answers the last request of a method.
    private func answer(
        _ method: SIPMethod, _ status: Int, _ world: inout World, _ extra: [(SIPHeaderName, String)] = [],
        body: String = ""
    ) throws {
        let request = try #require(world.caughtRequests.last { $0.method == method })
        world.receive(
            stranger.success(to: request, tag: "one", SIPStatus(status), body: body, extra: extra).bytes, from: stranger
        )
    }

    /// The requests of a method, without repetitions.
    private func count(_ method: SIPMethod, _ world: World) -> Int {
        Set(world.requests(method).map { $0.request.headers[.cSeq] }).count
    }

    @Test("Retry-After decides when a hold is repeated", arguments: [500, 503])
    func retryAfterDecidesWhenHoldIsRepeated(status: Int) throws {
        var world = try connected()
        world.command(0, .hold(leg, true))
        world.run(.milliseconds(100))
        try answer(.invite, status, &world, [(.retryAfter, "7")])
        #expect(world.settled(0, leg).isEmpty)
        world.run(.milliseconds(6_800))
        #expect(count(.invite, world) == 2)
        world.run(.milliseconds(300))
        #expect(count(.invite, world) == 3)
        try answer(.invite, 200, &world, body: Stranger.answer + "a=recvonly\r\n")
        #expect(world.settled(0, leg).map(\.?.direction) == [.sendonly] && world.ends(0, leg).isEmpty)
    }

    @Test("a far end that is never ready, or asks for too long a pause, has refused", arguments: ["2", "11", "x", nil])
    func farEndThatIsNeverReadyOrAsksForTooLongPauseHasRefused(pause: String?) throws {
        var world = try connected()
        world.command(0, .hold(leg, true))
        world.run(.milliseconds(100))
        for _ in 0..<10 {
            try answer(.invite, 500, &world, pause.map { [(.retryAfter, $0)] } ?? [])
            world.run(.seconds(3))
        }
        #expect(count(.invite, world) == (pause == "2" ? 5 : 2))
        #expect(world.settled(0, leg) == [nil] && world.ends(0, leg).isEmpty)
    }

    @Test(
        "a refresh by UPDATE follows Retry-After, too",
        arguments: [(500, "7", 7.1), (491, nil, 4.1)] as [(Int, String?, Double)])
    func refreshByUPDATEFollowsRetryAfterToo(status: Int, pause: String?, due: Double) throws {
        var world = try connected([(.allow, "UPDATE"), (.sessionExpires, "1200;refresher=uac")])
        world.run(.seconds(601))
        #expect(count(.update, world) == 1)
        try answer(.update, status, &world, pause.map { [(.retryAfter, $0)] } ?? [])
        world.run(.seconds(2))
        #expect(count(.update, world) == 1)
        world.run(.seconds(due - 2))
        #expect(count(.update, world) == 2)
        try answer(.update, 200, &world, [(.sessionExpires, "1200;refresher=uac")])
        world.run(.seconds(500))
        #expect(count(.update, world) == 2 && world.ends(0, leg).isEmpty)
    }
}
