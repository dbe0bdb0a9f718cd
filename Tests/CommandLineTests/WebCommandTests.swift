import Bench
import Foundation
import JSON
import Rig
import Testing
import offhook

/// `offhook web`: from a phone without a page to a page in a browser, and back.
@Suite(.serialized) struct WebCommandTests {
    private let workplace: Workplace
    private var configuration: String { workplace.path + "/offhook.yaml" }

    init() throws {
        workplace = try Workplace()
        let text = """
            board: \(Workplace.board)
            vault: {file: vault, key: vault.key}
            control: {socket: control.sock}  # for programs
            sip: {address: 127.0.0.1, port: 27014}
            sound: {handset: {capture: "null", playback: "null"}}

            """
        try TextFile.write(text, to: configuration)
        let made = try Command(["vault", "init", "--key", "file", "--config", configuration], in: workplace)
        #expect(made.exit == .status(0), "\(made)")
    }

    private func web(_ words: String..., input: String? = nil) throws -> Command {
        try Command(["web"] + words + ["--config", configuration], in: workplace, input: input)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: workplace.path + "/" + name, encoding: .utf8)
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: workplace.path + "/" + name)
    }

    /// The page's address and the token of a printed link.
    private func link(_ run: Command) throws -> (address: String, token: String) {
        let found = try #require(run.output.firstMatch(of: /(https?:\/\/\S+\/)#token=(ohk_\S+)/), "\(run)")
        return (String(found.1), String(found.2))
    }

    /// SHA-256 by another program.
    private func fingerprint(_ name: String) throws -> String {
        let run = try Command(
            program: ["openssl", "x509", "-noout", "-fingerprint", "-sha256", "-in", workplace.path + "/" + name],
            in: workplace)
        return String(run.output.drop { $0 != "=" }.dropFirst().prefix { $0 != "\n" })
    }

    private func started() throws -> ChildProcess {
        let phone = try ChildProcess(
            [Workplace.phone, "run", "--config", configuration], log: workplace.path + "/phone.log")
        for _ in 0..<100 {
            let ping = try Command(["ctl", "ping", "--config", configuration], in: workplace)
            guard ping.failed else { break }
            usleep(100_000)
        }
        return phone
    }

    private func status(_ token: String, port: Int, _ more: [String] = []) throws -> String {
        try Command(
            program: [
                "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", workplace.path + "/web.crt", "-H",
                "Authorization: Bearer \(token)", "https://127.0.0.1:\(port)/metrics",
            ] + more, in: workplace
        ).output
    }

    @Test func pageOnNetworkOpensInOneStep() throws {
        let before = try text("offhook.yaml")
        let first = try web("enable", "--listen", "0.0.0.0:27012", "--yes")
        #expect(first.exit == .status(0), "\(first)")
        #expect(first.output.contains("+  http: {address: \"0.0.0.0\", port: 27012, certificate: web.crt"), "\(first)")
        #expect(try text("offhook.yaml").contains("http: {address: \"0.0.0.0\", port: 27012"))
        #expect(try text("offhook.yaml.bak") == before)
        let printed = try fingerprint("web.crt")
        #expect(printed.count == 95 && first.output.contains("\n\(printed)\n"), "\(first)")
        let (address, token) = try link(first)
        #expect(address.hasPrefix("https://") && address.hasSuffix(":27012/"))
        let mode = try FileManager.default.attributesOfItem(atPath: workplace.path + "/web.key")[.posixPermissions]
        #expect(mode as? Int == 0o600)

        let phone = try started()
        #expect(try status(token, port: 27_012) == "200")
        // Run again, it has a new link and the same certificate. The former link opens nothing.
        let kept = try text("offhook.yaml")
        let second = try web("enable")
        #expect(second.exit == .status(0) && second.output.contains(printed), "\(second)")
        #expect(try text("offhook.yaml") == kept && !second.output.contains("+++"), "\(second)")
        let next = try link(second).token
        #expect(try [status(token, port: 27_012), status(next, port: 27_012)] == ["401", "200"])
        let shown = try web("status")
        #expect(shown.output.contains("page         \(address)\n") && shown.output.contains(printed), "\(shown)")
        #expect(shown.output.contains("web  call") && !shown.output.contains("ohk_"), "\(shown)")

        let closed = try web("disable", "--yes")
        #expect(closed.output.contains("token web: revoked") && closed.output.contains("ctl restart"), "\(closed)")
        #expect(try status(next, port: 27_012) == "401")
        #expect(try !text("offhook.yaml").contains("http") && exists("web.crt"))
        #expect(try web("status").output.contains("the page is off"))
        _ = phone.stop()
        for secret in [token, next] { #expect(try !text("phone.log").contains(secret)) }
    }

    /// A certificate would protect nothing between programs of one machine.
    @Test func pageOfThisMachineNeedsNoCertificate() throws {
        let run = try web("enable", "--listen", "127.0.0.1:27013", "--scope", "observe", "--label", "anna", "--yes")
        #expect(run.exit == .status(0) && !exists("web.crt") && !exists("web.key"), "\(run)")
        #expect(try link(run).address == "http://127.0.0.1:27013/")
        #expect(run.output.contains("this machine only"), "\(run)")
        #expect(try web("status").output.contains("anna  observe"))
        // On the network it gets one.
        let wide = try web("enable", "--listen", "0.0.0.0:27013", "--yes")
        #expect(wide.exit == .status(0) && exists("web.crt"), "\(wide)")
        #expect(try link(wide).address.hasPrefix("https://"))
        let check = try Command(["config", "check", configuration], in: workplace)
        #expect(check.exit == .status(0), "\(check)")
    }

    @Test func certificateStaysUnlessRenewedAndOwnOneIsKept() throws {
        func enable(_ more: String...) throws -> Command {
            try Command(["web", "enable", "--yes", "--config", configuration] + more, in: workplace)
        }
        _ = try enable()
        let first = try fingerprint("web.crt")
        #expect(try enable("--renew").output.contains("web.crt"))
        let renewed = try fingerprint("web.crt")
        #expect(renewed != first)
        for ending in ["crt", "key"] {
            try FileManager.default.moveItem(
                atPath: workplace.path + "/web.\(ending)", toPath: workplace.path + "/mine.\(ending)")
        }
        try TextFile.write(text("offhook.yaml").replacing("web.", with: "mine."), to: configuration)
        let own = try enable("--renew")
        #expect(own.output.contains(renewed) && !exists("web.crt"), "\(own)")
    }

    @Test(.enabled(if: SignInPicture.modules("x") != nil, "needs libqrencode (Scripts/setup test)"))
    func terminalShowsLinkAsPicture() throws {
        let words = "'\(Workplace.phone)' web enable --yes --config '\(configuration)'"
        let run = try Command(program: ["env", "TERM=xterm", "script", "-qec", words, "/dev/null"], in: workplace)
        let rows = run.output.split(whereSeparator: \.isNewline).filter { $0.contains("█") }
        #expect(rows.count >= 20 && run.exit == .status(0), "\(run)")
        #expect(try !web("enable", "--yes").output.contains("█"), "a file has no picture")
    }

    @Test func withoutConsentNothingHappens() throws {
        let before = try text("offhook.yaml")
        let run = try web("enable", input: "")
        #expect(run.exit == .status(1) && run.output.contains("--yes"), "\(run)")
        #expect(try text("offhook.yaml") == before && !exists("web.crt") && !exists("offhook.yaml.bak"))
        #expect(!run.output.contains("ohk_"))
    }

    @Test(arguments: ["localhost:8088", "127.0.0.1:99999", "[::1", "", "phone.example", "127.0.0.1:0"])
    func impossibleAddressIsRejected(_ address: String) throws {
        let run = try web("enable", "--listen", address, "--yes")
        #expect(run.exit == .status(64) && run.output.contains("--listen: expected ADDRESS:PORT"), "\(run)")
    }

    @Test func missingPhoneAndVaultAreNamed() throws {
        let nowhere = try Command(["web", "enable", "--yes", "--config", "/nowhere/x.yaml"], in: workplace)
        #expect(nowhere.exit == .status(1) && nowhere.output.contains("offhook setup"), "\(nowhere)")
        try FileManager.default.removeItem(atPath: workplace.path + "/vault")
        let bare = try web("enable", "--yes")
        #expect(bare.exit == .status(1) && bare.output.contains("there is no vault"), "\(bare)")
        #expect(!exists("web.crt"))
    }
}
