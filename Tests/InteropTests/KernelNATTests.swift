import Bench
import HostStalls
import Rig
import Testing

/// Two phones behind NATs of the kernel, with Kamailio between them, which carries no voice, and coturn, which relays
/// if there is no other path.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: NATNeighbours.isPossible, "needs root, iproute2, nftables, kamailio and coturn (Scripts/setup test)"))
struct KernelNATTests {
    struct Pair: CustomTestStringConvertible, Sendable {
        var first: NATWorld.Mapping
        var second: NATWorld.Mapping
        /// Whether theory predicts a direct path.
        var isDirect: Bool
        var testDescription: String { "\(first), \(second)" }
    }

    @Test(
        .limit(minutesEachTime: 2),
        arguments: [
            Pair(first: .endpointIndependent, second: .endpointIndependent, isDirect: true),
            Pair(first: .portDependent, second: .portDependent, isDirect: false),
        ])
    func phonesFindDirectPath(_ pair: Pair) throws {
        let neighbours = try NATNeighbours(pair.first, pair.second)
        let coturn = try neighbours.coturn()
        let (alice, bob) = (try neighbours.phone(0), try neighbours.phone(1))
        try neighbours.call(alice, bob)
        // One server for either phone is enough.
        let isRelayed = [alice, bob].contains { neighbours.paths($0).last?.hasSuffix("through a TURN server") ?? false }
        #expect(isRelayed == !pair.isDirect)
        try neighbours.hangUp(alice)
        coturn.stop()
    }

    /// A relayed-only phone is reached through its server only, whatever NAT the far end has.
    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases(["turn:"], others: ["tcp", "turns:"]))
    func relayedOnlyPhoneUsesRelay(manner: String) throws {
        let neighbours = try NATNeighbours(.endpointIndependent, .endpointIndependent)
        let (server, folder) = (neighbours.world.server.address, neighbours.workplace.path)
        let authority = try TestAuthority(folder: folder + "/authority").certifying(server, in: folder + "/turn")
        let coturn = try neighbours.coturn(authority: authority)
        let turn = manner == "tcp" ? "phone@\(server)?transport=tcp" : "\(manner)phone@\(server)"
        let alice = try neighbours.phone(0, ice: "relayed", turn: turn) { $0.authorities = authority.authorities }
        let bob = try neighbours.phone(1)
        try neighbours.call(alice, bob)
        #expect(neighbours.paths(alice).allSatisfy { $0.hasSuffix("through a TURN server") })
        #expect(neighbours.paths(bob).allSatisfy { $0.contains(server) })
        try neighbours.hangUp(alice)
        coturn.stop()
    }
}
