import Bench
import Foundation
import JSON
import Rig
import Testing

/// `offhook config check | show | schema`.
@Suite struct ConfigCommandTests {
    private let workplace: Workplace
    private let path: String

    init() throws {
        workplace = try Workplace()
        path = workplace.path + "/offhook.yaml"
        try TextFile.write(try TextFile.read(Workplace.board), to: workplace.path + "/board.yaml")
    }

    private static let start = """
        board: board.yaml
        sound: { speaker: { capture: default, playback: default } }

        """

    private func check(_ text: String) throws -> Command {
        try TextFile.write(text, to: path)
        return try Command(["config", "check", path], in: workplace)
    }

    /// One mistake each, with the place and the words that a person needs.
    @Test(arguments: [
        ("sip: { prot: 5060 }", "3:8: sip: unknown key \"prot\" (did you mean \"port\"?)"),
        ("spi: {}", "3:1: unknown key \"spi\" (did you mean \"sip\"?)"),
        ("sip: { port: telephone }", "3:14: sip.port: expected a whole number from 0 to 65535"),
        ("sip: { port: \"5060\" }", "(write it without quotes)"),
        ("sip: { gruu: yes }", "3:14: sip.gruu: expected true or false, found \"yes\" (did you mean true?)"),
        ("sip: { address: localhost }", "sip.address: expected any, or a numeric address"),
        ("sip: { peers: pbx.example }", "sip.peers: expected a list of 0 to 64"),
        ("sip: { tls: { port: 5061 } }", "sip.tls.port: accepting TLS needs certificate and key"),
        ("sip: { shortest_session_time: 1 h }", "must not be longer than session_time"),
        ("sip:", "3:5: sip: expected a section, found nothing"),
        ("sip: {}\nsip: {}", "4:1: key \"sip\" appears twice; first in line 3"),
        ("log: Info", "3:6: log: expected debug, info, warning or error, found \"Info\" (did you mean \"info\"?)"),
        ("log: &level info", "anchors (&name) are not supported here"),
        ("calls: { ring_timeout: 30 }", "found \"30\" (the unit is missing, such as s in 30 s)"),
        ("calls: { ring_timeout: 1 h }", "calls.ring_timeout: expected a duration from 5 s to 5 min, found \"1 h\""),
        ("calls: { maximum: 0 }", "calls.maximum: expected a whole number from 1 to 8"),
        ("calls: { dial_plan: opne }", "(did you mean \"open\"?)"),
        ("calls: { dial_plan: [\"2[\"] }", "3:21: calls.dial_plan: "),
        ("calls: { speed_dials: { 17: 200 } }", "3:25: calls.speed_dials: expected a whole number from 1 to 16"),
        ("calls: { speed_dials: { 1: { targts: 2 } } }", "(did you misspell it as \"targts\"?)"),
        ("calls: { speed_dials: { 1: hello } }", "calls.speed_dials.1: expected a number or a SIP address"),
        ("calls: { account_rings: { office: dor } }", "there is no ring \"dor\""),
        ("calls: { rings: { door: [1 s] } }", "calls.rings.door: expected a list of 2 to 16"),
        ("calls: { auto_answer: {} }", "calls.auto_answer: missing key \"callers\""),
        ("media: { codecs: [opus, g792] }", "3:25: media.codecs[2]: expected"),
        ("media: { first_port: 20000, last_port: 20001 }", "media.last_port: must be at least 9 above first_port"),
        ("relays: { 1: { code: \"4711#\" } }", "relays.1.code: needs callers"),
        ("paging: { groups: [{ address: 192.0.2.1, port: 5004 }] }", "paging.groups[1].address: expected"),
        ("on_event: [{ events: [callEnded], run: [sh] }]", "on_event[1].run: \"sh\" must be an absolute path"),
        ("panel: { flash: { shortest: 900 ms, longest: 500 ms } }", "panel.flash.longest: must be longer"),
        ("control: { http: { address: 192.0.2.1 } }", "control.http.address: without certificate and key"),
        ("network:\n\twatch: true", "a tab in the indentation; YAML accepts only spaces"),
        ("sound: [", "4:1"),
    ])
    func eachMistakeIsExplained(_ text: String, _ words: String) throws {
        let run = try check(Self.start + text + "\n")
        #expect(run.exit == .status(1) && run.output.hasPrefix(path + ":"), "\(run)")
        #expect(run.output.contains(words) && run.output.contains("1 error\n"), "\(run)")
    }

    @Test func allMistakesAreListedInTheirOrder() throws {
        let run = try check(
            """
            board: board.yaml
            log: infoo
            sipp: {}
            sip:
              port: telephone
              peers: [192.0.2.7, nowhere]
              gruu: yes
            sound:
              countri: DE
              handset: { captrue: default, playback: default }
            calls:
              maximum: 9
              maximum: 3
              ring_timeout: 30
              account_rings: { office: dor }
              speed_dials: { 1: [200, bad number!], 17: 200 }
            relays: { 1: { code: "4711" } }
            media: { codecs: [opus, opsu] }
            """)
        let lines = run.output.split(separator: "\n").compactMap { line -> Int? in
            line.hasPrefix(path) ? Int(line.dropFirst(path.count + 1).prefix { $0 != ":" }) : nil
        }
        #expect(lines == [2, 3, 5, 6, 7, 9, 10, 12, 13, 14, 15, 16, 16, 17, 18], "\(run)")
        #expect(run.exit == .status(1) && run.output.hasSuffix("15 errors\n"), "\(run)")
        #expect(!run.output.contains("\"4711\""), "an error shows no relay code: \(run)")
    }

    @Test func boardAndAccountsAreCheckedToo() throws {
        let text =
            Self.start + """
                vault: { file: vault, key: vault.key }
                calls: { account: ofice, voicemail: { home: "*97" } }
                relays: { 1: { accounts: [office, nobody] }, 7: {} }
                alarms: { tampre: 200 }

                """
        try TextFile.write(text, to: path)
        for words in [
            ["vault", "init", "--key", "file"],
            ["account", "add", "office", "--user", "1", "--server", "127.0.0.1", "--no-password"],
        ] {
            let run = try Command(words + ["--config", path], in: workplace)
            #expect(run.exit == .status(0), "\(run)")
        }
        let run = try check(text)
        for words in [
            "4:19: calls.account: there is no account \"ofice\"; did you mean \"office\"? known: office",
            "4:39: calls.voicemail: there is no account \"home\"; known: office",
            "relays.1.accounts[2]: there is no account \"nobody\"", "relays.7: the board", "alarms.tampre: the board",
        ] { #expect(run.output.contains(words), "\(words): \(run)") }
        try TextFile.write("name: x\npanel: { backend: nothing }\n", to: workplace.path + "/board.yaml")
        let board = try check(Self.start)
        #expect(board.exit == .status(1) && board.output.contains("board.yaml:2:19: panel.backend"), "\(board)")
    }

    @Test func rightFileHasNoError() throws {
        let run = try check(Self.start)
        #expect(run.exit == .status(0) && run.output.hasSuffix("\(path): no error\n"), "\(run)")
        let missing = try Command(["config", "check", "/nowhere/offhook.yaml"], in: workplace)
        #expect(missing.exit == .status(1) && missing.output.contains("/nowhere/offhook.yaml: cannot be read"))
    }

    @Test func shownConfigurationHasDefaultsAndIsReadAgain() throws {
        let text =
            Self.start + """
                sip: { port: 5070, peers: ["2001:db8::7"] }
                calls:
                  rings: { "a b": [1 s, 2 s] }
                  speed_dials:
                    1: [200, "sip:guard@pbx.example"]
                    2: { targets: 300, hours: [{ from: "08:00", to: "18:00", targets: [201] }] }

                """
        try TextFile.write(text, to: path)
        let plain = try Command(["config", "show", "--config", path], in: workplace)
        #expect(plain.exit == .status(0) && plain.output.contains("\n  ring_timeout: 30 s\n"), "\(plain)")
        let origin = try Command(["config", "show", "--origin", "--config", path], in: workplace)
        #expect(
            origin.output.contains(/\n  port: 5070 +# line 3\n/) && origin.output.contains(/gruu: false +# default/))
        // The effective configuration has itself as its effective configuration.
        try TextFile.write(origin.output, to: path)
        let again = try Command(["config", "show", "--config", path], in: workplace)
        #expect(again.output == plain.output, "\(again)")
    }

    @Test func secretsAreNotShown() throws {
        try TextFile.write(
            Self.start + """
                relays: { 1: { code: "4711#", callers: [200] } }
                on_event: [{ events: [callEnded], run: [/usr/bin/curl, "token=12345678"] }]
                """, to: path)
        for words in [["show"], ["show", "--origin"], ["check"]] {
            let run = try Command(["config"] + words + ["--config", path], in: workplace)
            #expect(!run.output.contains("4711") && !run.output.contains("12345678"), "\(run)")
        }
    }

    @Test func schemaIsJSON() throws {
        let run = try Command(["config", "schema"], in: workplace)
        let schema = try JSONValue(parsing: run.output)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["properties"]?["sip"]?["properties"]?["port"]?["maximum"] == 65_535)
        #expect(schema["required"] == ["board", "sound"])
    }
}
