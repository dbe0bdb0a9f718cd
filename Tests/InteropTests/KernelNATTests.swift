import Bench
import JSON
import Foundation
import HostStalls
import Rig
import Testing

/// Two phones behind NATs of the kernel, with Kamailio between them, which carries no voice, and coturn, which does where
/// there is no other way.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: NATWorld.isPossible && KamailioProcess.isInstalled && Coturn.isInstalled,
        "needs root, iproute2, nftables, kamailio and coturn (Scripts/setup test)"))
struct KernelNATTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    struct Pair: CustomTestStringConvertible, Sendable {
        var first: NATWorld.Mapping
        var second: NATWorld.Mapping
        /// Whether theory says that the two reach each other.
        var isDirect: Bool
        var testDescription: String { "\(first), \(second)" }
    }

    @Test(
        .limit(minutesEachTime: 2),
        arguments: [
            Pair(first: .endpointIndependent, second: .endpointIndependent, isDirect: true),
            Pair(first: .portDependent, second: .portDependent, isDirect: false),
        ])
    func phonesFindEachOther(_ pair: Pair) throws {
        let world = try NATWorld(pair.first, pair.second)
        let crossroads = try KamailioCrossroads.start(folder: workplace.path + "/kamailio", host: world.server)
        let coturn = try Coturn(folder: workplace.path + "/coturn", host: world.server)
        let alice = try phone("alice", "101", world, 0, "always")
        let bob = try phone("bob", "102", world, 1, "always")
        try call(alice, bob)
        // One server is enough, of either.
        let isRelayed = [alice, bob].contains { paths($0).last?.hasSuffix("through a TURN server") ?? false }
        #expect(isRelayed == !pair.isDirect)
        try finish([alice, bob], crossroads, coturn)
    }

    /// Whoever hides behind a server is reached there alone, whatever the far end is behind.
    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases(["turn:"], others: ["tcp", "turns:"]))
    func whoeverHidesIsRelayed(manner: String) throws {
        let world = try NATWorld(.endpointIndependent, .endpointIndependent)
        let authority = try TestAuthority(folder: workplace.path + "/authority")
            .certifying(world.server.address, in: workplace.path + "/turn")
        let crossroads = try KamailioCrossroads.start(folder: workplace.path + "/kamailio", host: world.server)
        let coturn = try Coturn(folder: workplace.path + "/coturn", host: world.server, authority: authority)
        let server =
            manner == "tcp" ? "phone@\(world.server.address)?transport=tcp" : "\(manner)phone@\(world.server.address)"
        let alice = try phone("alice", "101", world, 0, "relayed", server) { $0.authorities = authority.authorities }
        let bob = try phone("bob", "102", world, 1, "always")
        try call(alice, bob)
        #expect(paths(alice).allSatisfy { $0.hasSuffix("through a TURN server") })
        #expect(paths(bob).allSatisfy { $0.contains(world.server.address) })
        try finish([alice, bob], crossroads, coturn)
    }

    private func phone(
        _ name: String, _ user: String, _ world: NATWorld, _ home: Int, _ ice: String, _ turn: String? = nil,
        change: (inout PhoneFolder.Settings) -> Void = { _ in }
    ) throws -> RigPhone {
        var settings = PhoneFolder.Settings(port: 5_060, firstMediaPort: 30_000)
        settings.address = world.homes[home].address
        change(&settings)
        let folder = try workplace.phoneFolder(name, settings)
        let secret = folder.path + "/password"
        try TextFile.write(Coturn.password, to: secret)
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: user, server: world.server.address,
            more: [
                "--register", "--transport", "tcp", "--no-password", "--protection", "dtls", "--ice", ice, "--stun",
                world.server.address, "--turn", turn ?? "phone@\(world.server.address)", "--turn-password-file", secret,
            ])
        return try RigPhone(
            name: name, folder: folder, program: Workplace.phone, prefix: world.homes[home].prefix)
    }

    private func call(_ alice: RigPhone, _ bob: RigPhone) throws {
        for phone in [alice, bob] {
            try phone.waitUntilReady()
            try phone.waitUntilLine(is: ["registered"])
        }
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
        Conversation(first: (alice.mouth, alice.ear, workplace.alice), second: (bob.mouth, bob.ear, workplace.bob))
            .expectUnderstood()
    }

    private func paths(_ phone: RigPhone) -> [String] {
        let log = (try? String(contentsOfFile: phone.folder.log, encoding: .utf8)) ?? ""
        return log.split(separator: "\n").filter { $0.contains("the path of ") }.map(String.init)
    }

    private func finish(_ phones: [RigPhone], _ crossroads: KamailioProcess, _ coturn: Coturn) throws {
        try phones[0].ask("hangup")
        for phone in phones { try phone.wait(for: "callEnded") }
        for phone in phones { #expect(phone.process.stop().exit == .status(0)) }
        #expect(crossroads.stop() == .status(0))
        coturn.stop()
    }
}
