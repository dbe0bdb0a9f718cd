import Bench
import Foundation
import Rig
import Testing

/// Accounts by the command line, and where their secrets must not appear.
@Suite struct AccountTests {
    private static let secret = "correct horse battery"
    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        folder = try workplace.phoneFolder("phone", .init(port: 26_260, firstMediaPort: 26_600))
    }

    private func offhook(_ words: String..., input: String? = nil) throws -> Command {
        try Command(words + ["--config", folder.configuration], in: workplace, input: input)
    }

    @Test func accountsAreAddedListedAndRemoved() throws {
        let added = try offhook(
            "account", "add", "office", "--user", "101", "--server", "pbx.example:5070", "--password-stdin",
            input: Self.secret + "\n")
        #expect(added.exit == .status(0), "\(added)")
        let listed = try offhook("account", "list")
        #expect(listed.output.contains("office") && listed.output.contains("pbx.example:5070"), "\(listed)")
        #expect(!listed.output.contains(Self.secret))
        #expect(try offhook("account", "remove", "office").exit == .status(0))
        #expect(try offhook("account", "list").output.isEmpty)
        #expect(try offhook("account", "remove", "office").failed)
    }

    @Test func accountIsChanged() throws {
        _ = try offhook(
            "account", "add", "office", "--user", "101", "--server", "pbx.example", "--display-name", "Office",
            "--password-stdin", input: Self.secret)
        _ = try offhook("account", "add", "two", "--user", "1", "--server", "pbx.example", "--no-password")
        let changed = try offhook(
            "account", "change", "office", "--new-label", "hall", "--no-register", "--display-name", "", "--ice",
            "always",
            "--stun", "stun.example")
        #expect(changed.output == "hall: changed\n" && changed.exit == .status(0), "\(changed)")
        let listed = try offhook("account", "list").output.split(separator: "\n")
        #expect(
            listed.first == "hall  101 at pbx.example over udp, does not register, encryption mandatory, ICE always")
        #expect(listed.count == 2, "it keeps its place: \(listed)")
        let moved = try offhook("account", "change", "hall", "--server", "thief.example")
        #expect(moved.exit == .status(1) && moved.output.contains("needs the password again"), "\(moved)")
        let allowed = try offhook(
            "account", "change", "hall", "--server", "other.example", "--password-stdin", input: "n3w")
        #expect(allowed.exit == .status(0), "\(allowed)")
        for (words, said) in [
            (["nobody", "--no-register"], "there is no account \"nobody\""),
            (["hall", "--new-label", "two"], "already"),
            (["hall", "--user", "a@b"], "--user"), (["hall", "--turn", "turn.example"], "--turn"),
            (["hall", "--ask-password", "--no-password"], "excludes"),
        ] {
            let wrong = try Command(
                ["account", "change"] + words + ["--config", folder.configuration], in: workplace)
            #expect(wrong.failed && wrong.output.contains(said), "\(words): \(wrong)")
        }
    }

    @Test func telnyxNeedsNoServer() throws {
        let added = try offhook(
            "account", "add", "desk", "--kind", "telnyx", "--user", "me", "--password-stdin", input: Self.secret)
        #expect(added.exit == .status(0), "\(added)")
        let listed = try offhook("account", "list").output
        #expect(listed == "desk  me at rtc.telnyx.com over wss, registers, encryption dtls, ICE always\n")
        let needed = try offhook("account", "add", "x", "--kind", "verto", "--user", "me", "--no-password")
        #expect(needed.failed && needed.output.contains("--server"), "\(needed)")
    }

    /// Then the running phone has to do it.
    @Test func lockedVaultNamesCommand() throws {
        let phone = try ChildProcess(
            [Workplace.phone, "run", "--config", folder.configuration], log: workplace.path + "/phone.log")
        defer { _ = phone.stop() }
        for _ in 0..<100 where !FileManager.default.fileExists(atPath: folder.socket) { usleep(100_000) }
        let add = ["add", "x", "--user", "1", "--server", "127.0.0.1:9", "--no-register", "--no-password"]
        for words in [add, ["change", "x", "--no-register"], ["remove", "x"]] {
            let refused = try Command(["account"] + words + ["--config", folder.configuration], in: workplace)
            #expect(refused.exit == .status(1), "\(refused)")
            #expect(refused.output.contains("`offhook ctl account \(words[0])`"), "\(refused)")
        }
        let added = try Command(["ctl", "account"] + add + ["--socket", folder.socket], in: workplace)
        #expect(added.output == "x: added\n", "\(added)")
    }

    /// The first account of the list dials.
    @Test func addingAccountAgainKeepsItsPlace() throws {
        for label in ["office", "two"] {
            _ = try offhook("account", "add", label, "--user", "101", "--server", "pbx.example", "--no-password")
        }
        #expect(try offhook("account", "remove", "office").exit == .status(0))
        _ = try offhook("account", "add", "office", "--user", "102", "--server", "pbx.example", "--no-password")
        let listed = try offhook("account", "list").output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(listed == ["office", "two"])
    }

    @Test func noFileHoldsTheSecretInClear() throws {
        let file = workplace.path + "/password"
        try TextFile.write(Self.secret, to: file)
        _ = try offhook(
            "account", "add", "office", "--user", "101", "--server", "pbx.example", "--password-file", file)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            guard let bytes = FileManager.default.contents(atPath: folder.path + "/" + name) else { continue }
            #expect(bytes.range(of: Data(Self.secret.utf8)) == nil, "\(name)")
        }
    }

    @Test(arguments: ["", "host:0", "host:70000", "host:+5", "a b", "h?x<y>", "h/x", "1::2", "[::1", "[zz]:5060"])
    func invalidServerIsRefused(_ server: String) throws {
        let added = try offhook("account", "add", "x", "--user", "1", "--server", server, "--no-password")
        #expect(added.failed && added.output.contains("server"), "\(added)")
    }

    @Test(arguments: ["", " ", "two\u{0A}lines", "\u{1B}[31m", "turned\u{202E}"])
    func untypableLabelIsRefused(_ label: String) throws {
        let added = try offhook("account", "add", label, "--user", "1", "--server", "h", "--no-password")
        #expect(added.failed && added.output.contains("<label>"), "\(added)")
    }

    @Test func addressIsNoUser() throws {
        let added = try offhook("account", "add", "x", "--user", "1@h", "--server", "h", "--no-password")
        #expect(added.failed && added.output.contains("--user"), "\(added)")
    }

    @Test func passwordAndNoPasswordContradict() throws {
        let added = try offhook(
            "account", "add", "x", "--user", "1", "--server", "h", "--no-password", "--password-stdin",
            input: Self.secret)
        #expect(added.failed && added.output.contains("not both"), "\(added)")
    }

    @Test func passwordThatIsNoTextIsRefusedAndNotChanged() throws {
        let file = workplace.path + "/password"
        try Data([0x70, 0xFF, 0xFE]).write(to: URL(fileURLWithPath: file))
        let added = try offhook("account", "add", "x", "--user", "1", "--server", "h", "--password-file", file)
        #expect(added.failed && added.output.contains("UTF-8"), "\(added)")
    }

    @Test func tokenReplacesUserAndPassword() throws {
        let token = "eyJhbGciOiJIUzI1NiJ9." + String(repeating: "t0k3n", count: 150)
        let file = workplace.path + "/token"
        try TextFile.write(token + "\n", to: file)
        let words = ["account", "add", "desk", "--kind", "telnyx", "--server", "rtc.example"]
        func add(_ more: String..., input: String? = nil) throws -> Command {
            try Command(words + more + ["--config", folder.configuration], in: workplace, input: input)
        }
        for refused in [
            try add("--token-file", file, "--token-stdin"), try add("--token-file", file, "--no-password"),
            try add("--token-file", file, "--password-stdin", input: Self.secret),
            try add("--token-file", file, "--kind", "verto"), try add("--token-file", file, "--auth-user", "x"),
            try add("--token-stdin", input: token + " x"), try add("--token-stdin", input: "\u{1B}[31m" + token),
            try add("--token-stdin", input: token + String(repeating: "y", count: 4_000)),
            try add("--token-file", file + "-of-nobody"), try add("--token", token), try add(),
        ] {
            #expect(refused.failed && !refused.output.contains("eyJhb"), "\(refused)")
        }
        let added = try add("--token-file", file)
        #expect(added.exit == .status(0), "\(added)")
        let listed = try offhook("account", "list")
        #expect(listed.output.contains("desk  a token at rtc.example over wss"), "\(listed)")
        #expect(!listed.output.contains("eyJ"))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            guard let bytes = FileManager.default.contents(atPath: folder.path + "/" + name) else { continue }
            #expect(bytes.range(of: Data(token.utf8)) == nil, "\(name)")
        }
    }

    /// The password is taken anyway, because its file may be temporary.
    @Test(arguments: [(0o600, false), (0o640, true), (0o604, true), (0o400, false)])
    func passwordFileOfManyReadersIsTakenWithWarning(mode: Int, isWarned: Bool) throws {
        let file = folder.path + "/password"
        try TextFile.write(Self.secret + "\n", to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        let added = try offhook(
            "account", "add", "office", "--user", "101", "--server", "pbx.example", "--password-file", file)
        #expect(added.exit == .status(0) && !added.output.contains(Self.secret), "\(added)")
        #expect(added.output.contains("warning: others can read \(file)") == isWarned, "\(added)")
        #expect(added.output.contains("chmod 600 \(file)") == isWarned)
    }

    /// Verto's login sends the password itself.
    @Test func clearPasswordNeedsLoopbackOrPermission() throws {
        func add(_ label: String, _ server: String, _ more: String...) throws -> Command {
            try Command(
                ["account", "add", label, "--kind", "verto", "--transport", "ws", "--server", server, "--user", "1000"]
                    + ["--password-stdin", "--config", folder.configuration] + more,
                in: workplace, input: Self.secret + "\n")
        }
        let refused = try add("office", "pbx.example:8081")
        #expect(refused.exit == .status(1) && refused.output.contains("--allow-clear-password"), "\(refused)")
        #expect(refused.output.contains("unencrypted") && refused.output.contains("wss"), "\(refused)")
        #expect(try add("near", "127.0.0.1:8081").output == "near: added\n")
        let allowed = try add("office", "pbx.example:8081", "--allow-clear-password")
        #expect(allowed.exit == .status(0) && allowed.output.contains("unencrypted"), "\(allowed)")
        let listed = try offhook("account", "list").output.split(separator: "\n")
        #expect(listed.map { $0.contains("password sent unencrypted") } == [false, true], "\(listed)")
        let looked = try offhook("doctor", "--offline")
        #expect(looked.output.contains("everybody on the path to pbx.example can read its password"), "\(looked)")
        #expect(!looked.output.contains(Self.secret))
        // A digest hides the password of SIP.
        let sip = try offhook(
            "account", "add", "sip", "--user", "1", "--server", "pbx.example", "--transport", "ws", "--password-stdin",
            input: Self.secret)
        #expect(sip.exit == .status(0), "\(sip)")
    }

    @Test func impossibleChangeGivesNoUsageHint() throws {
        let removed = try offhook("account", "remove", "nobody")
        #expect(removed.exit == .status(1) && removed.output.contains("nobody"), "\(removed)")
        #expect(!removed.output.contains("Usage"), "\(removed)")
    }

    @Test func unwritableOutputIsFailure() throws {
        let full = try ChildProcess(
            [
                "sh", "-c", "exec \"$0\" account add x --user 1 --server h --no-password --config \"$1\" > /dev/full",
                Workplace.phone, folder.configuration,
            ], log: workplace.path + "/full")
        #expect(full.wait(upTo: .seconds(10)) == .status(1))
    }

    @Test func secretIsNotTakenFromCommandLine() throws {
        let added = try offhook("account", "add", "x", "--user", "1", "--server", "h", "--password", Self.secret)
        #expect(added.failed)
        let unasked = try offhook("account", "add", "x", "--user", "1", "--server", "h")
        #expect(unasked.failed && unasked.output.contains("--password-stdin"), "\(unasked)")
    }
}
