import Base
import Bench
import HostStalls
import Rig
import Testing

/// Phones behind NATs of the kernel, and a TURN server that rejects them or forgets them.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: NATNeighbours.isPossible, "needs root, iproute2, nftables, kamailio and coturn (Scripts/setup test)"))
struct CoturnFaultTests {
    private static let refusal = "does not accept the user or the password"

    /// A relayed-only account logs the reason, and makes no call in another way.
    @Test(.limit(minutesEachTime: 2)) func wrongPasswordIsReported() throws {
        let neighbours = try NATNeighbours(.endpointIndependent, .endpointIndependent)
        let coturn = try neighbours.coturn()
        let alice = try neighbours.phone(0, ice: "relayed", password: "forgotten")
        let bob = try neighbours.phone(1)
        try neighbours.ready([alice, bob])
        #expect(throws: (any Error).self) { try alice.ask("dial", ["target": "102"]) }
        let end = try alice.wait(for: "callFailed")
        #expect(end.fields["reason"] == "mediaFailed")
        let words =
            "no TURN server can relay: the TURN server \(neighbours.world.server.address) \(Self.refusal)"
        let told = alice.all("error").compactMap { $0.fields["message"]?.string }
        #expect(told == [words])
        #expect(neighbours.log(alice).contains { $0.contains(words) })
        #expect(bob.all("incomingCall").isEmpty)
        neighbours.finish()
        coturn.stop()
    }

    /// An account that needs no server calls without it.
    @Test(.limit(minutesEachTime: 2)) func wrongPasswordPreventsNoDirectCall() throws {
        let neighbours = try NATNeighbours(.endpointIndependent, .endpointIndependent)
        let coturn = try neighbours.coturn()
        let (alice, bob) = (try neighbours.phone(0, password: "forgotten"), try neighbours.phone(1))
        try neighbours.call(alice, bob)
        #expect(neighbours.log(alice).contains { $0.contains("is not relayed") && $0.contains(Self.refusal) })
        #expect(!neighbours.paths(alice).contains { $0.hasSuffix("through a TURN server") })
        try neighbours.hangUp(alice)
        coturn.stop()
    }

    /// A restarted server has forgotten the relayed call. The phone notices, and finds another path without help.
    @Test(.limit(minutesEachTime: 3), arguments: Matrix.cases([""], others: ["?transport=tcp"]))
    func voiceReturnsAfterServerRestart(transport: String) throws {
        let neighbours = try NATNeighbours(.portDependent, .portDependent)
        let first = try neighbours.coturn()
        let turn = "phone@\(neighbours.world.server.address)\(transport)"
        let alice = try neighbours.phone(0, ice: "relayed", turn: turn)
        let bob = try neighbours.phone(1)
        try neighbours.answer(alice, bob)
        let humming = Humming([(alice.mouth, alice.ear), (bob.mouth, bob.ear)])
        #expect(humming.back(after: Wire.now, within: .seconds(5)) != nil, "they hear each other")
        first.stop()
        humming.hum(for: .seconds(1))
        #expect(humming.isBroken)
        let second = try neighbours.coturn("coturn-anew")
        let back = try #require(
            humming.back(after: Wire.now, within: .seconds(15)),
            "voice does not return: \([alice, bob].map { neighbours.log($0).suffix(12) }), \(second.said.suffix(3_000))"
        )
        print("test: voice is back \(back.nanoseconds / 1_000_000) ms after the server (\(transport))")
        try alice.wait(for: "callReconnecting")
        try alice.wait(for: "callReconnected")
        for phone in [alice, bob] {
            try phone.collect()
            #expect(phone.all("callEnded").isEmpty && phone.all("callFailed").isEmpty)
        }
        try neighbours.hangUp(alice)
        second.stop()
    }
}
