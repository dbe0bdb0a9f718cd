import Bench
import Control
import Foundation
import HostStalls
import JSON
import Rig
import Testing

/// The running program over HTTP: configured, opened by a token, asked.
@Suite(.serialized, .stallsForgiven) struct HTTPProgramTests {
    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        folder = try workplace.phoneFolder("phone", .init(port: 26_180, firstMediaPort: 26_600))
    }

    private func configure(_ http: String) throws {
        let plain = try String(contentsOfFile: folder.configuration, encoding: .utf8)
        let with = plain.replacingOccurrences(of: "control:\n", with: "control:\n  http: \(http)\n")
        #expect(with != plain)
        try TextFile.write(with, to: folder.configuration)
    }

    private func ctl(_ words: String...) throws -> Command {
        let command = try Command(["ctl"] + words + ["--socket", folder.socket], in: workplace)
        #expect(command.exit == .status(0), "\(words): \(command)")
        return command
    }

    private func curl(_ path: String, _ words: String...) throws -> String {
        try Command(program: ["curl", "-s", "http://127.0.0.1:26190" + path] + words, in: workplace).output
    }

    /// The service's user may not do what only an administrator of the network may.
    @Test(.limit(minutesEachTime: 1)) func phoneWithoutPrivilegesServesItsPage() throws {
        try configure("{ port: 26190 }")
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone, prefix: ["setpriv", "--bounding-set=-net_admin"])
        #expect(try curl("/").contains("<title>Offhook</title>"))
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 2)) func tokenAllowsAccessUntilRevoked() throws {
        try configure("{ port: 26190 }")
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        let token = try ctl("token", "add", "kitchen", "--scope", "observe").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let request = #"{"jsonrpc":"2.0","id":1,"method":"getSnapshot"}"#
        let asked = [
            "-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/json", "-d", request,
        ]
        func ask() throws -> String {
            try curl("/rpc", asked[0], asked[1], asked[2], asked[3], asked[4], asked[5])
        }
        let snapshot = try JSONValue(parsing: ask())
        #expect(snapshot["result"]?["hook"] == "onHook" && snapshot["result"]?["network"] == "connected")
        #expect(try curl("/").contains("<title>Offhook</title>"))
        #expect(try ctl("token", "list").output.contains("kitchen  observe  "))
        _ = try ctl("token", "remove", "kitchen")
        #expect(try ask() == "this token is not valid\n")
        #expect(phone.process.stop().exit == .status(0))
        let log = try String(contentsOfFile: folder.log, encoding: .utf8)
        #expect(log.contains("rejected a request from 127.0.0.1: this token is not valid"), "\(log)")
        #expect(!log.contains(token))
    }

    @Test(arguments: [
        ("{ address: 0.0.0.0 }", "control.http.address", "without certificate"),
        ("{ address: localhost }", "control.http.address", "numeric address"),
        ("{ certificate: c.pem }", "control.http.certificate", "needs control.http.key"),
        ("{ key: c.key }", "control.http.key", "needs control.http.certificate"),
        ("{ hosts: [\"http://phone\"] }", "control.http.hosts[1]", "a host name"),
    ])
    func impossibleHTTPSettingsStopStart(_ section: String, _ key: String, _ reason: String) throws {
        try configure(section)
        let run = try Command(["run", "--config", folder.configuration], in: workplace)
        #expect(run.failed && run.output.contains(key) && run.output.contains(reason), "\(run)")
    }
}
