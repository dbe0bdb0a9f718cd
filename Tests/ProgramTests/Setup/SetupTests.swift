import Base
import Bench
import Foundation
import HostStalls
import Rig
import SIPCore
import Testing

/// `offhook setup` with an answers file, from an empty folder, against a registrar that the test plays.
@Suite(.serialized, .stallsForgiven) struct SetupTests {
    private static let secret = "correct horse battery"
    private let workplace: Workplace
    private let registrar: DatagramPeer
    private let folder: String

    init() throws {
        workplace = try Workplace()
        registrar = try DatagramPeer()
        folder = workplace.path + "/new"
    }

    private var configuration: String { folder + "/offhook.yaml" }

    private func answers(_ more: String = "", port: UInt16? = nil) throws -> String {
        let file = workplace.path + "/answers.yaml"
        try TextFile.write(Self.secret + "\n", to: workplace.path + "/password")
        try TextFile.write(
            """
            board: simulator
            sound: {country: DE, handset: "null"}
            vault: {key: file}
            account:
              label: desk
              user: "101"
              server: 127.0.0.1:\(port ?? registrar.port)
              password_file: \(workplace.path)/password
            \(more)
            """, to: file)
        return file
    }

    /// - Parameter prefix: Words before its command.
    private func setup(_ answers: String, prefix: [String] = []) throws -> ChildProcess {
        try ChildProcess(
            prefix + [Workplace.phone, "setup", "--config", configuration, "--answers", answers, "--yes"],
            log: workplace.path + "/setup.log")
    }

    private var said: String { (try? String(contentsOfFile: workplace.path + "/setup.log", encoding: .utf8)) ?? "" }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    }

    /// Answers the next registration.
    private func answer(_ status: SIPStatus) throws -> SIPRequest {
        let request = try registrar.request(.register)
        guard let via = request.headers[.via], let port = Self.port(in: via) else {
            throw DatagramPeer.Failure.silence
        }
        var response = request.response(status, tag: "r")
        response.headers[.contact] = request.headers[.contact]
        try registrar.say(response, to: port)
        return request
    }

    private static func port(in via: String) -> UInt16? {
        via.firstMatch(of: /:(\d+)/).flatMap { UInt16($0.1) }
    }

    @Test(.limit(minutesEachTime: 1)) func emptyFolderBecomesPhone() throws {
        let run = try setup(try answers())
        _ = try answer(.ok)
        _ = try answer(.ok)
        #expect(run.wait(upTo: .seconds(20)) == .status(0), "\(said)")
        #expect(said.contains("Registered at 127.0.0.1.") && said.contains("+board: board.yaml"), "\(said)")
        #expect(
            try text("offhook.yaml") == """
                # Written by offhook setup. All other keys have defaults: docs/user/configuration
                board: board.yaml
                vault: {file: vault, key: vault.key}
                control: {socket: control.sock}
                sound:
                  country: DE
                  handset: {capture: "null", playback: "null"}

                """)
        let listed = try Command(["account", "list", "--config", configuration], in: workplace)
        #expect(listed.output.contains("desk  101 at 127.0.0.1:\(registrar.port) over udp"), "\(listed)")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            guard let bytes = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
            #expect(bytes.range(of: Data(Self.secret.utf8)) == nil, "\(name)")
        }
        #expect(!said.contains(Self.secret))
    }

    /// A second run finds the results of the first, keeps the former file, and adds new settings.
    @Test(.limit(minutesEachTime: 1)) func secondRunContinues() throws {
        let first = try setup(try answers("  try: false"))
        #expect(first.wait(upTo: .seconds(20)) == .status(0), "\(said)")
        let before = try text("offhook.yaml")
        let file = workplace.path + "/more.yaml"
        try TextFile.write("sound: {country: FR, handset: \"null\", ringer: \"null\", try: false}\n", to: file)
        #expect(try setup(file).wait(upTo: .seconds(20)) == .status(0), "\(said)")
        #expect(try text("offhook.yaml") == before.replacing("DE", with: "FR") + "  ringer: \"null\"\n")
        #expect(try text("offhook.yaml.bak") == before)
        let kept = try text("offhook.yaml")
        #expect(try setup(file).wait(upTo: .seconds(20)) == .status(0), "\(said)")
        #expect(said.hasSuffix("offhook doctor --config \(configuration)\n"), "\(said)")
        #expect(said.contains("There is nothing to write."), "\(said)")
        #expect(try text("offhook.yaml") == kept)
    }

    /// Installation programs run it on every machine, and again.
    @Test(.limit(minutesEachTime: 1)) func sameAnswersMayBeRepeated() throws {
        let file = try answers("  try: false")
        #expect(try setup(file).wait(upTo: .seconds(20)) == .status(0), "\(said)")
        #expect(try setup(file).wait(upTo: .seconds(20)) == .status(0), "\(said)")
        #expect(said.contains("account desk: already exists"), "\(said)")
        #expect(said.contains("There is nothing to write."), "\(said)")
        let listed = try Command(["account", "list", "--config", configuration], in: workplace)
        #expect(listed.output.split(separator: "\n").count == 1, "\(listed)")
        // A changed account is not skipped silently.
        let other = try answers("  try: false", port: 9)
        #expect(try setup(other).wait(upTo: .seconds(20)) == .status(1), "\(said)")
        #expect(said.contains("already has an account \"desk\", 101 at 127.0.0.1:\(registrar.port)"), "\(said)")
    }

    @Test(.limit(minutesEachTime: 1), arguments: [("network", "https", true), ("here", "http", false)])
    func pageIsOpenedWithTheRest(answer: String, scheme: String, hasCertificate: Bool) throws {
        let file = workplace.path + "/answers.yaml"
        try TextFile.write("sound: {handset: \"null\", try: false}\nweb: \(answer)\n", to: file)
        #expect(try setup(file).wait(upTo: .seconds(20)) == .status(0), "\(said)")
        let link = said.split(separator: "\n").first { $0.contains("#token=ohk_") }
        #expect(link?.hasPrefix("\(scheme)://") == true && link?.contains(":8088/#token=") == true, "\(said)")
        #expect(try text("offhook.yaml").contains("certificate: web.crt") == hasCertificate)
        #expect(FileManager.default.fileExists(atPath: folder + "/web.key") == hasCertificate)
        let status = try Command(["web", "status", "--config", configuration], in: workplace)
        #expect(status.output.contains("\(scheme)://") && status.output.contains("web  call"), "\(status)")
        // The answer to a question that is not asked any more changes nothing.
        let kept = try text("offhook.yaml")
        #expect(try setup(file).wait(upTo: .seconds(20)) == .status(0), "\(said)")
        #expect(try text("offhook.yaml") == kept && said.contains("There is nothing to write."), "\(said)")
    }

    /// Nothing is tried, because that would ask Telnyx itself.
    @Test(.limit(minutesEachTime: 1)) func answersMayDescribeVertoAndTelnyx() throws {
        let (file, token) = (workplace.path + "/answers.yaml", workplace.path + "/token")
        try TextFile.write("t0k3n\n", to: token)
        for (account, listed) in [
            (
                "{label: desk, kind: telnyx, token_file: \(token), try: false}",
                "desk  a token at rtc.telnyx.com over wss, registers, encryption dtls, ICE always"
            ),
            (
                "{label: door, kind: verto, user: '1000', server: pbx.example, ice: relayed, "
                    + "turn: me@turn.example, turn_password_file: \(token), password_file: \(token), try: false}",
                "door  1000 at pbx.example over wss, registers, encryption dtls, ICE relayed"
            ),
        ] {
            try TextFile.write("sound: {handset: \"null\", try: false}\naccount: \(account)\n", to: file)
            #expect(try setup(file).wait(upTo: .seconds(20)) == .status(0), "\(said)")
            #expect(!said.contains("t0k3n"))
            let accounts = try Command(["account", "list", "--config", configuration], in: workplace)
            #expect(accounts.output.contains(listed), "\(accounts)")
        }
    }

    @Test(.limit(minutesEachTime: 1), arguments: [403, 404])
    func refusingServerIsQuotedAndNothingIsWritten(status: Int) throws {
        let run = try setup(try answers())
        _ = try answer(SIPStatus(status))
        #expect(run.wait(upTo: .seconds(20)) == .status(1), "\(said)")
        #expect(said.contains("(\(status) "), "\(said)")
        #expect(said.contains(status == 403 ? "forbids" : "does not know this user"), "\(said)")
        #expect(!FileManager.default.fileExists(atPath: configuration))
    }

    @Test(.limit(minutesEachTime: 1)) func silentServerIsReported() throws {
        let run = try setup(try answers())
        #expect(run.wait(upTo: .seconds(40)) == .status(1), "\(said)")
        #expect(said.contains("127.0.0.1 does not answer"), "\(said)")
    }

    @Test(.limit(minutesEachTime: 1)) func closedPortIsReported() throws {
        let run = try setup(try answers("  transport: tcp", port: 9))
        #expect(run.wait(upTo: .seconds(40)) == .status(1), "\(said)")
        #expect(said.contains("nothing listens at this port"), "\(said)")
    }

    /// For "expired" the text also suggests checking the machine's clock.
    @Test(.limit(minutesEachTime: 1)) func expiredCertificateSuggestsClock() throws {
        let certificates = try Certificates()
        try certificates.make("old", "DNS:localhost", days: 0)
        let server = try secureServer(certificates, "old")
        let file = workplace.path + "/tls.yaml"
        try TextFile.write(
            """
            sound: {handset: "null"}
            account:
              {user: "1", server: "localhost:\(Self.securePort)", transport: tls, authorities: \
              "\(certificates.authority)",
              no_password: true}

            """, to: file)
        #expect(try setup(file).wait(upTo: .seconds(40)) == .status(1), "\(said)")
        #expect(said.contains("not valid now (certificate has expired)") && said.contains("clock"), "\(said)")
        _ = server.stop()
    }

    /// Nothing listens at the first address of the name. The line uses the second, and so does the explanation of its
    /// failure.
    @Test(
        .enabled(if: geteuid() == 0, "only root can give a program a separate hosts file"),
        .limit(minutesEachTime: 1))
    func failureIsExplainedForListeningAddress() throws {
        let certificates = try Certificates()
        try certificates.make("own", "DNS:two.example")
        let server = try secureServer(certificates, "own")
        let hosts = workplace.path + "/hosts"
        try TextFile.write("127.0.0.2 two.example\n127.0.0.1 two.example\n", to: hosts)
        let file = workplace.path + "/tcp.yaml"
        try TextFile.write(
            """
            sound: {handset: "null"}
            account: {user: "1", server: "two.example:\(Self.securePort)", transport: tcp, no_password: true}

            """, to: file)
        let run = try setup(
            file,
            prefix: ["unshare", "--mount", "sh", "-c", "mount --bind '\(hosts)' /etc/hosts && exec \"$0\" \"$@\""])
        #expect(run.wait(upTo: .seconds(40)) == .status(1), "\(said)")
        #expect(said.contains("two.example expects TLS at this port"), "\(said)")
        _ = server.stop()
    }

    private static let securePort = 26_680

    /// A server that speaks TLS with one of these certificates, and no SIP.
    private func secureServer(_ certificates: Certificates, _ name: String) throws -> ChildProcess {
        let log = workplace.path + "/server.log"
        let server = try ChildProcess(
            [
                "openssl", "s_server", "-www", "-accept", "127.0.0.1:\(Self.securePort)", "-cert",
                certificates.certificate(name), "-key", certificates.key(name),
            ], log: log)
        for _ in 0..<1_000 where (try? String(contentsOfFile: log, encoding: .utf8))?.contains("ACCEPT") != true {
            MonotonicTime.sleep(.milliseconds(10))
        }
        return server
    }

    @Test(
        .limit(minutesEachTime: 1),
        arguments: [
            ("account: {label: x, server: h, no_password: true}", "account.user: no answer"),
            ("account: {user: x, server: h}", "account.password_file: no answer"),
            ("account: {user: x@y, server: h}", "account.user: expected only the part"),
            ("account: {user: x, server: h, token_file: t}", "token_file"),
            ("account: {kind: telnyx, token_file: t, password_file: p}", "token_file"),
            ("account: {kind: verto, user: x, server: h, transport: ws}", "account.transport: Verto over ws"),
            ("account: {user: x, server: h, ice: relayed, no_password: true}", "account.turn: no answer"),
            ("sound: {handset: none}", "sound.speaker: no answer"),
            ("sound: {handset: none, speaker: none}", "a phone needs at least a handset or a speaker"),
            ("sound: {country: XX}", "sound.country: "), ("web: everywhere", "web: \"everywhere\" is not one of"),
            ("board: toaster", "board: \"toaster\" is not one of"),
            ("vault: {key: passphrase}", "vault.passphrase_file: no answer"), ("colour: red", "colour"),
            ("vault: {passphrase_file: x}", "passphrase_file"),
        ])
    func missingOrWrongAnswerIsNamed(answers: String, words: String) throws {
        let file = workplace.path + "/answers.yaml"
        try TextFile.write(answers + "\n", to: file)
        #expect(try setup(file).wait(upTo: .seconds(20)) == .status(1), "\(said)")
        #expect(said.contains(words), "\(said)")
        #expect(!FileManager.default.fileExists(atPath: configuration))
    }

    @Test func withoutTerminalNothingIsAskedOrWritten() throws {
        let asking = try Command(["setup", "--config", configuration], in: workplace, input: "yes\n")
        #expect(asking.exit == .status(1) && asking.output.contains("--answers"), "\(asking)")
        let file = workplace.path + "/answers.yaml"
        try TextFile.write("sound: {try: false}\n", to: file)
        let unsure = try Command(["setup", "--config", configuration, "--answers", file], in: workplace, input: "")
        #expect(unsure.exit == .status(1) && unsure.output.contains("--yes"), "\(unsure)")
        #expect(!FileManager.default.fileExists(atPath: configuration))
    }

    /// Two whole phones inside the command: SIP, SRTP and sound for real.
    @Test(.limit(minutesEachTime: 1)) func loopbackCallReturnsVoice() throws {
        let file = workplace.path + "/answers.yaml"
        try TextFile.write("sound: {handset: \"null\"}\ntest_call: loopback\n", to: file)
        #expect(try setup(file).wait(upTo: .seconds(40)) == .status(0), "\(said)")
        #expect(said.contains("Voice came back"), "\(said)")
    }
}
