import Bench
import Foundation
import Rig
import Testing

/// The messages for a person when a file is wrong.
@Suite struct ConfigurationTests {
    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        folder = try workplace.phoneFolder("phone", .init(port: 26_160, firstMediaPort: 26_500))
    }

    /// The error of `offhook run` for a configuration with one replaced text.
    private func complaint(replacing text: String, with other: String) throws -> String {
        let right = try String(contentsOfFile: folder.configuration, encoding: .utf8)
        #expect(right.contains(text))
        try TextFile.write(right.replacingOccurrences(of: text, with: other), to: folder.configuration)
        let run = try Command(["run", "--config", folder.configuration], in: workplace)
        #expect(run.failed, "\(run)")
        return run.output
    }

    @Test func unknownKeyIsNamedWithItsPlace() throws {
        let lines = try String(contentsOfFile: folder.configuration, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let place = try #require(lines.firstIndex { $0 == "  country: US" }) + 1
        let output = try complaint(replacing: "country: US", with: "countri: US")
        #expect(output.contains("\(folder.configuration):\(place):3: sound"), "\(output)")
        #expect(output.contains("\"countri\"") && output.contains("\"country\""), "\(output)")
    }

    @Test func wrongValueIsNamedWithExpectation() throws {
        let output = try complaint(replacing: "port: 26160", with: "port: telephone")
        #expect(output.contains("sip.port") && output.contains("from 0 to 65535"), "\(output)")
    }

    @Test(arguments: [
        ("address: 127.0.0.1", "address: localhost", "sip.address"),
        ("peers: []", "peers: [pbx.example]", "sip.peers[1]"),
    ])
    func hostNameInsteadOfAddressIsRefused(_ text: String, _ other: String, _ key: String) throws {
        let output = try complaint(replacing: text, with: other)
        #expect(output.contains(key) && output.contains("numeric address"), "\(output)")
    }

    @Test(arguments: [
        ("tls: { port: 5061 }", "sip.tls", "needs certificate"),
        ("tls: { certificate: c.pem }", "sip.tls", "needs sip.tls.key"),
        ("tls: { pins: { office: abc } }", "sip.tls.pins", "SHA-256"),
        ("session_time: 80 s", "sip.session_time", "expected a duration from 90 s"),
        ("shortest_session_time: 1 h", "sip.shortest_session_time", "longer than session_time"),
        ("identities: { office: me }", "sip.identities.office", "a number or a SIP address"),
        ("name_servers: [dns.example]", "sip.name_servers[1]", "numeric address"),
    ])
    func unsupportedLineSettingIsRefused(_ line: String, _ key: String, _ reason: String) throws {
        let output = try complaint(replacing: "sip:\n", with: "sip:\n  \(line)\n")
        #expect(output.contains(folder.configuration + ":"), "\(output)")
        #expect(output.contains(key) && output.contains(reason), "\(output)")
    }

    @Test(arguments: [
        ("{ format: wav }", "calls.recording", "folder"),
        ("{ folder: calls, format: mp3 }", "calls.recording.format", "opus or wav"),
        ("{ folder: calls, beep: { pitch: 100 } }", "calls.recording.beep.pitch", "from 300 to 3400"),
        ("{ folder: calls, beep: { period: 1 s } }", "calls.recording.beep.period", "from 2 s"),
        ("{ folder: calls, longest: 7 h }", "calls.recording.longest", "to 6 h"),
    ])
    func invalidRecordingSectionIsRefused(_ section: String, _ key: String, _ reason: String) throws {
        let output = try complaint(replacing: "sip:\n", with: "calls:\n  recording: \(section)\nsip:\n")
        #expect(output.contains(key) && output.contains(reason), "\(output)")
    }

    @Test(arguments: [
        ("[opus, g729]", "media.codecs[2]", "opus, g722, pcma or pcmu"),
        ("[pcma, opus, pcma]", "media", "a codec appears twice"),
        ("[]", "media.codecs", "a list of"),
    ])
    func invalidCodecsAreRefused(_ list: String, _ key: String, _ reason: String) throws {
        let output = try complaint(replacing: "media:\n", with: "media:\n  codecs: \(list)\n")
        #expect(output.contains(key) && output.contains(reason), "\(output)")
    }

    @Test(arguments: [
        ("[F8_128_HMAC_SHA1_80]", "media.suites[1]", "AEAD_AES_256_GCM"),
        ("[AEAD_AES_128_GCM, AEAD_AES_128_GCM]", "media", "a suite appears twice"),
    ])
    func invalidSuitesAreRefused(_ list: String, _ key: String, _ reason: String) throws {
        let output = try complaint(replacing: "media:\n", with: "media:\n  suites: \(list)\n")
        #expect(output.contains(key) && output.contains(reason), "\(output)")
    }

    @Test func untypableShortNumberIsRefused() throws {
        let output = try complaint(replacing: "sip:\n", with: "calls:\n  short_numbers: [police]\nsip:\n")
        #expect(output.contains("calls.short_numbers[1]"), "\(output)")
    }

    @Test func missingConfigurationIsNamed() throws {
        let run = try Command(["run", "--config", "/nowhere/offhook.yaml"], in: workplace)
        #expect(run.failed && run.output.contains("/nowhere/offhook.yaml"), "\(run)")
    }

    @Test func unknownAccountIsNamed() throws {
        let output = try complaint(replacing: "sip:\n", with: "calls:\n  account: office\nsip:\n")
        #expect(output.contains("no account \"office\""), "\(output)")
    }

    @Test func missingVaultExplainsHowToMakeIt() throws {
        try FileManager.default.removeItem(atPath: folder.path + "/vault")
        let run = try Command(["run", "--config", folder.configuration], in: workplace)
        #expect(run.failed && run.output.contains("vault") && run.output.contains("offhook vault init"), "\(run)")
    }

    @Test(arguments: ["run", "check"]) func damagedVaultIsRefused(_ command: String) throws {
        let path = folder.path + "/vault"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let words = command == "run" ? ["run"] : ["vault", "check"]
        let run = try Command(words + ["--config", folder.configuration], in: workplace)
        #expect(run.failed && run.output.contains(path), "\(run)")
    }

    @Test func truncatedVaultIsRefused() throws {
        let path = folder.path + "/vault"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(bytes.count - 1).write(to: URL(fileURLWithPath: path))
        let run = try Command(["vault", "check", "--config", folder.configuration], in: workplace)
        #expect(run.failed && run.output.contains(path), "\(run)")
    }

    @Test func wrongKeyIsRefused() throws {
        try TextFile.write(String(repeating: "k", count: 32), to: folder.path + "/vault.key")
        let run = try Command(["run", "--config", folder.configuration], in: workplace)
        #expect(run.failed && run.output.contains("key"), "\(run)")
    }
}
