import Bench
import Foundation
import HostStalls
import Rig
import Testing

/// `offhook setup` at an independent registrar, and its explanation of each mistake.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: Kamailio.isInstalled && Kamailio.knowsTLS && TestAuthority.isPossible, "needs kamailio and openssl"))
struct SetupKamailioTests {
    private let workplace: Workplace
    private let authority: TestAuthority
    private let server: Kamailio

    init() throws {
        workplace = try Workplace()
        authority = try TestAuthority(folder: workplace.path + "/authority")
        server = try Kamailio(
            folder: workplace.path + "/kamailio", algorithm: "SHA-256", authority: authority,
            opensWebSockets: Kamailio.knowsWebSockets)
    }

    private func setup(
        _ server: String, _ transport: String, password: String? = nil, authorities: String? = nil, more: String = ""
    ) throws -> Tool.Findings {
        let home = workplace.path + "/home"
        try TextFile.makeFolder(home)
        try TextFile.write(password ?? Kamailio.password(of: "101"), to: home + "/password")
        try TextFile.write(
            """
            sound: {handset: "null"}
            account:
              user: "101"
              server: \(server)
              transport: \(transport)
              password_file: \(home)/password
              \(authorities.map { "authorities: \($0)" } ?? "")
              \(more)
            """, to: home + "/answers.yaml")
        return try Tool(
            [
                Workplace.phone, "setup", "--config", home + "/phone/offhook.yaml", "--answers", home + "/answers.yaml",
                "--yes",
            ], in: home
        ).findings(upTo: .seconds(40))
    }

    @Test(.limit(minutesEachTime: 1), arguments: ["udp", "tcp", "tls"])
    func correctAnswersRegister(transport: String) throws {
        let run = try setup(
            transport == "tls" ? Kamailio.secureAddress : Kamailio.address, transport,
            authorities: transport == "tls" ? authority.authorities : nil)
        #expect(run.exit == .status(0) && run.output.contains("Registered at"), "\(run)")
        // A trial leaves no registration behind.
        #expect(try !server.knows("101"))
        #expect(server.stop() == .status(0))
    }

    @Test(
        .limit(minutesEachTime: 1), .enabled(if: Kamailio.knowsWebSockets, "needs kamailio-websocket-modules"),
        arguments: [
            ("wss", Kamailio.secureAddress + Kamailio.webSocketPath, "Registered at localhost/phones"),
            ("ws", Kamailio.address + Kamailio.webSocketPath, "Registered at 127.0.0.1/phones"),
            ("ws", Kamailio.address + "/elsewhere", "404 Not Found"),
            ("ws", Kamailio.secureAddress + Kamailio.webSocketPath, "choose wss"),
            ("wss", Kamailio.address + Kamailio.webSocketPath, "or choose ws"),
            ("tcp", Kamailio.address + Kamailio.webSocketPath, "is no server; expected NAME"),
        ])
    func webSocketServerRegisters(transport: String, server address: String, word: String) throws {
        let run = try setup(address, transport, authorities: transport == "wss" ? authority.authorities : nil)
        #expect((run.exit == .status(0)) == word.hasPrefix("Registered"), "\(run)")
        // A terminal's lines break where they are full.
        let said = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(said.contains(word), "\(run)")
        #expect(try !server.knows("101"))
        #expect(server.stop() == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func wrongPasswordIsExplained() throws {
        let run = try setup(Kamailio.address, "udp", password: "guess")
        #expect(run.exit == .status(1) && run.output.contains("rejects the password"), "\(run)")
        #expect(!run.output.contains("guess"))
    }

    @Test(.limit(minutesEachTime: 1)) func unknownAuthorityIsExplained() throws {
        let run = try setup(Kamailio.secureAddress, "tls")
        #expect(run.exit == .status(1) && run.output.contains("No authority that this machine trusts"), "\(run)")
    }

    @Test(.limit(minutesEachTime: 1)) func certificateForOtherNameIsExplained() throws {
        let run = try setup("127.0.0.1:\(Kamailio.securePort)", "tls", authorities: authority.authorities)
        #expect(run.exit == .status(1) && run.output.contains("belongs to another name: localhost"), "\(run)")
    }

    @Test(.limit(minutesEachTime: 1)) func clearServerIsExplainedToTLSAccount() throws {
        let run = try setup("localhost:\(Kamailio.port)", "tls", authorities: authority.authorities)
        #expect(run.exit == .status(1) && run.output.contains("does not use TLS at this port"), "\(run)")
    }

    @Test(.limit(minutesEachTime: 1)) func tlsServerIsExplainedToClearAccount() throws {
        let run = try setup(Kamailio.secureAddress, "tcp")
        #expect(run.exit == .status(1) && run.output.contains("expects TLS at this port"), "\(run)")
    }

    @Test(.limit(minutesEachTime: 1)) func unknownNameIsExplained() throws {
        let run = try setup("pbx.invalid", "udp")
        // Without a name server the sentence differs, depending on the machine.
        let sentences = ["does not exist", "No name server answers"]
        #expect(run.exit == .status(1) && sentences.contains { run.output.contains($0) }, "\(run)")
    }

    @Test(.limit(minutesEachTime: 1)) func pinnedCertificateRegisters() throws {
        let text = try String(contentsOfFile: authority.certificate, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        let der = workplace.path + "/server.der"
        try #require(Data(base64Encoded: lines.joined())).write(to: URL(fileURLWithPath: der))
        let digest = try Tool(["sha256sum", der], in: workplace.path).findings().output.prefix(64)
        let run = try setup(Kamailio.secureAddress, "tls", more: "pin: \(digest)")
        #expect(run.exit == .status(0) && run.output.contains("Registered at"), "\(run)")
    }

    /// A call to an unknown number reports that; the account is still added.
    @Test(.limit(minutesEachTime: 1)) func testCallToUnknownNumberIsExplained() throws {
        let run = try setup(Kamailio.address, "udp", more: "\ntest_call: \"199\"")
        #expect(run.exit == .status(1) && run.output.contains("The call failed"), "\(run)")
        #expect(server.stop() == .status(0))
    }
}
