import Base
import Bench
import Foundation
import Rig
import Testing
import offhook

/// What the filter of a support report removes, and what it leaves.
@Suite struct ReportFilterTests {
    private static func clean(_ text: String, _ secrets: [String] = [], hidesNumbers: Bool = false) -> String {
        String(decoding: ReportFilter(secrets: secrets, hidesNumbers: hidesNumbers).clean(text), as: UTF8.self)
    }

    @Test func secretIsRemovedInEachOfItsForms() {
        let secret = "a\"b/c d"
        for text in [secret, #"a\"b/c d"#, "a%22b%2Fc%20d"] {
            #expect(Self.clean("x=\(text);", [secret]) == "x=(removed);", "\(text)")
        }
        #expect(Self.clean("hunter22 hunter2", ["hunter2", "hunter22"]) == "(removed) (removed)")
        #expect(Self.clean("12 calls", ["12"]) == "12 calls", "a short secret is also part of other texts")
        #expect(Self.clean("tampered", []) == "tampered")
    }

    @Test func tokenOfThePageIsRemoved() {
        #expect(Self.clean("Bearer ohk_AZaz09-_x, next") == "Bearer (removed), next")
    }

    @Test(arguments: [
        "2026-11-28 18:32:05", "192.168.100.200:5060", "in-1.7", "ready after 11.2 ms", "\"10.0.0.123\"", "16384",
        "plughw:CARD=x1234567y",
    ])
    func addressesAndTimesStay(_ text: String) { #expect(Self.clean(text, hidesNumbers: true) == text) }

    @Test func equalNumbersHaveEqualPlaceholders() {
        let filter = ReportFilter(secrets: [], hidesNumbers: true)
        func clean(_ text: String) -> String { String(decoding: filter.clean(text), as: UTF8.self) }
        let (short, long) = (clean("call from \"102\""), clean("to 4930123456"))
        #expect(!short.contains("\"102\"") && !long.contains("4930123456"))
        #expect(clean("\"+49 (30) 123-456\"") == "\"" + long.dropFirst(3) + "\"")
        #expect(clean("\"103\"") != clean("\"102\""))
        #expect(Self.clean("\"102\"", hidesNumbers: true) != clean("\"102\""), "each report has its own")
        let configuration = "calls:\n  blocked:\n    - 102\nsip:\n  port: 5060\n"
        let cleaned = String(decoding: filter.clean(configuration: configuration), as: UTF8.self)
        #expect(
            !cleaned.contains("- 102\n") && cleaned.contains("- #n") && cleaned.contains("port: 5060")
                && cleaned.hasSuffix("\n"))
    }
}

/// The archive that `offhook report` writes.
@Suite struct ReportTests {
    /// Secrets in all places that have one.
    private static let password = "correct-horse-battery"
    private static let turnPassword = "turn-staple-4711"
    private static let token = "eyJ0b2tlbiI6InNlY3JldCJ9.sig"
    private static let code = "90817263"
    private static let program = "Authorization: Basic c2VjcmV0"

    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        var settings = PhoneFolder.Settings(port: 26_244, firstMediaPort: 26_650)
        settings.more = """
            relays: { 1: { code: "\(Self.code)#", callers: [200] } }
            on_event: [{ events: [callEnded], run: [/bin/true, "\(Self.program)"] }]
            calls: { blocked: ["+4930987654"] }
            """
        folder = try workplace.phoneFolder("phone", settings)
    }

    private func offhook(_ words: String..., input: String? = nil) throws -> Command {
        try Command(words + ["--config", folder.configuration], in: workplace, input: input)
    }

    /// The files of an archive, unpacked by another program.
    private func files(_ archive: String) throws -> [String: Data] {
        let place = archive + "-files"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let tar = try Command(program: ["tar", "-xf", archive, "-C", place], in: workplace)
        #expect(tar.exit == .status(0) && tar.output.isEmpty, "\(tar)")
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: place + "/report") {
            files[name] = FileManager.default.contents(atPath: place + "/report/" + name)
        }
        return files
    }

    private func addAccounts() throws {
        let turn = workplace.path + "/turn"
        try TextFile.write(Self.turnPassword + "\n", to: turn)
        let added = try offhook(
            "account", "add", "office", "--user", "101", "--server", "127.0.0.1:9", "--no-register", "--turn",
            "user@turn.example", "--turn-password-file", turn, "--password-stdin", input: Self.password)
        #expect(added.exit == .status(0), "\(added)")
        let token = try offhook(
            "account", "add", "desk", "--kind", "telnyx", "--server", "127.0.0.1:9", "--token-stdin",
            input: Self.token)
        #expect(token.exit == .status(0), "\(token)")
    }

    /// Secrets as text and as bytes, also in the forms in which programs print bytes.
    private func secrets(pageToken: String) throws -> [Data] {
        let key = try #require(FileManager.default.contents(atPath: folder.path + "/vault.key"))
        let hexadecimal = key.map { String(format: "%02x", $0) }.joined()
        let texts = [
            Self.password, Self.turnPassword, Self.token, Self.code, Self.program, pageToken, hexadecimal,
            key.base64EncodedString(),
        ]
        return [key] + texts.map { Data($0.utf8) }
    }

    /// Goal: no secret leaves the machine. Method: put one into each source, also where none belongs, and search all.
    @Test func reportOfARunningPhoneHasNoSecret() throws {
        try addAccounts()
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        defer { _ = phone.process.stop() }
        let added = try Command(
            ["ctl", "token", "add", "page", "--scope", "observe", "--socket", folder.socket], in: workplace)
        let pageToken = try #require(
            added.output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("ohk_") }, "\(added)")
        let planted = "{\"format\":\"offhook\"}\n\(Self.password) \(Self.token) \(pageToken)\n"
        try TextFile.write(planted, to: folder.path + "/events.jsonl")
        let archive = workplace.path + "/report.tar"
        let report = try offhook("report", archive)
        #expect(report.exit == .status(0), "\(report)")
        let bytes = try #require(FileManager.default.contents(atPath: archive))
        for secret in try secrets(pageToken: String(pageToken)) {
            #expect(bytes.range(of: secret) == nil, "\(String(decoding: secret, as: UTF8.self))")
        }
        let files = try files(archive)
        let expected: Set = [
            "README.txt", "version.txt", "configuration.yaml", "board.yaml", "doctor.txt", "accounts.txt",
            "status.json", "status.txt", "log.txt", "boot.txt", "metrics.txt", "statistics.json", "sound.txt",
            "machine.txt", "events.jsonl",
        ]
        #expect(expected.subtracting(files.keys).isEmpty, "\(files.keys.sorted())")
        func text(_ name: String) -> String { String(decoding: files[name] ?? Data(), as: UTF8.self) }
        #expect(text("configuration.yaml").contains("+4930987654"))
        #expect(text("log.txt").contains("ready after") && text("doctor.txt").contains("ok    configuration"))
        #expect(text("status.json").hasPrefix("{") && text("metrics.txt").contains("offhook_build_info"))
        #expect(text("accounts.txt").contains("office  101 at 127.0.0.1:9"))
        let mode = try FileManager.default.attributesOfItem(atPath: archive)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try offhook("report", archive)
        #expect(again.failed && FileManager.default.contents(atPath: archive) == bytes, "\(again)")
    }

    @Test func numbersAreHiddenAndStoppedPhoneIsDescribed() throws {
        let archive = workplace.path + "/report.tar"
        let report = try offhook("report", archive, "--hide-numbers")
        #expect(report.exit == .status(0) && report.output.contains("no answers of the phone"), "\(report)")
        let files = try files(archive)
        let configuration = String(decoding: files["configuration.yaml"] ?? Data(), as: UTF8.self)
        #expect(configuration.contains("blocked") && !configuration.contains("4930987654"), "\(configuration)")
        #expect(files["status.json"] == nil && files["doctor.txt"] != nil)
    }

    @Test func wrongConfigurationIsDescribedByItsErrors() throws {
        try TextFile.write("board: x\npassword: \(Self.password)\nsound: \(Self.password)\n", to: folder.configuration)
        let archive = workplace.path + "/report.tar"
        #expect(try offhook("report", archive).exit == .status(0))
        let files = try files(archive)
        let errors = String(decoding: files["configuration-errors.txt"] ?? Data(), as: UTF8.self)
        #expect(errors.contains("sound") && !errors.contains(Self.password), "\(errors)")
        #expect(files["configuration.yaml"] == nil)
    }
}
