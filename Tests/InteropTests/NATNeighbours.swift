import Bench
import Foundation
import Rig
import Testing

/// Two phones behind NATs of the kernel, with Kamailio between them, which carries no voice.
final class NATNeighbours {
    static var isPossible: Bool { NATWorld.isPossible && KamailioProcess.isInstalled && Coturn.isInstalled }

    let workplace: Workplace
    let world: NATWorld
    private let crossroads: KamailioProcess
    /// Started before the server, which from 6.0 on looks for it once and then not for a minute.
    private let engine: RTPEngine?
    private var phones: [RigPhone] = []

    /// - Parameter hasVoice: As for `KamailioCrossroads`.
    init(_ first: NATWorld.Mapping, _ second: NATWorld.Mapping, hasVoice: Bool = false) throws {
        workplace = try Workplace()
        world = try NATWorld(first, second)
        engine = hasVoice ? try RTPEngine(folder: workplace.path + "/rtpengine", host: world.server) : nil
        crossroads = try KamailioCrossroads.start(
            folder: workplace.path + "/kamailio", host: world.server, hasVoice: hasVoice)
    }

    /// Nil: no server.
    func stopEngine() -> ChildProcess.Exit? { engine?.stop() }

    func coturn(_ folder: String = "coturn", authority: TestAuthority? = nil) throws -> Coturn {
        try Coturn(folder: workplace.path + "/" + folder, host: world.server, authority: authority)
    }

    /// - Parameters:
    /// - number: Of its home: 0 for 101, 1 for 102.
    /// - turn: The server, as on the command line.
    func phone(
        _ number: Int, protection: String = "dtls", ice: String = "always", turn: String? = nil,
        password: String = Coturn.password,
        change: (inout PhoneFolder.Settings) -> Void = { _ in }
    ) throws -> RigPhone {
        let name = ["alice", "bob"][number]
        var settings = PhoneFolder.Settings(port: 5_060, firstMediaPort: 30_000)
        settings.address = world.homes[number].address
        change(&settings)
        let folder = try workplace.phoneFolder(name, settings)
        let secret = folder.path + "/password"
        try TextFile.write(password, to: secret)
        let server = world.server.address
        let servers =
            ice == "off"
            ? [] : ["--stun", server, "--turn", turn ?? "phone@\(server)", "--turn-password-file", secret]
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: "10\(number + 1)", server: server,
            more: [
                "--register", "--transport", "tcp", "--no-password", "--protection", protection, "--ice", ice,
            ] + servers)
        let phone = try RigPhone(
            name: name, folder: folder, program: Workplace.phone, prefix: world.homes[number].prefix)
        phones.append(phone)
        return phone
    }

    /// The first calls the second, and they talk.
    func call(_ alice: RigPhone, _ bob: RigPhone) throws {
        try answer(alice, bob)
        converse(alice, bob)
    }

    /// The first calls the second, who answers.
    func answer(_ alice: RigPhone, _ bob: RigPhone) throws {
        try ready([alice, bob])
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
    }

    func ready(_ phones: [RigPhone]) throws {
        for phone in phones {
            try phone.waitUntilReady()
            try phone.waitUntilLine(is: ["registered"])
        }
    }

    func converse(_ alice: RigPhone, _ bob: RigPhone, sourceLocation: SourceLocation = #_sourceLocation) {
        Conversation(first: (alice.mouth, alice.ear, workplace.alice), second: (bob.mouth, bob.ear, workplace.bob))
            .expectUnderstood(sourceLocation: sourceLocation)
    }

    /// A phone's log.
    func log(_ phone: RigPhone) -> [String] {
        let log = (try? String(contentsOfFile: phone.folder.log, encoding: .utf8)) ?? ""
        return log.split(separator: "\n").map(String.init)
    }

    /// A phone's log lines about paths.
    func paths(_ phone: RigPhone) -> [String] { log(phone).filter { $0.contains("the path of ") } }

    /// The call ends, and then everything.
    func hangUp(_ phone: RigPhone) throws {
        try phone.ask("hangup")
        for phone in phones { try phone.wait(for: "callEnded") }
        finish()
    }

    func finish() {
        for phone in phones { #expect(phone.process.stop().exit == .status(0)) }
        #expect(crossroads.stop() == .status(0))
    }
}
