import Base
import Bench
import Foundation
import JSON
import Rig
import Testing

/// Commands that print facts also print them as JSON.
@Suite struct JSONFactsTests {
    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        folder = try workplace.phoneFolder("phone", .init(port: 26_252, firstMediaPort: 26_660))
    }

    /// Programs rely on these shapes.
    @Test func factsArePrintedAsJSON() throws {
        let added = try Command(
            [
                "account", "add", "office", "--user", "101", "--server", "pbx.example:5070", "--password-stdin",
                "--config", folder.configuration,
            ], in: workplace, input: "correct horse")
        #expect(added.exit == .status(0), "\(added)")
        func facts(_ words: String...) throws -> JSONValue {
            let command = try Command(words + ["--json"], in: workplace)
            #expect(command.exit == .status(0), "\(command)")
            return try JSONValue(parsing: Array(command.output.utf8))
        }
        let phone = ["--config", folder.configuration]
        let account = try facts("account", "list", phone[0], phone[1]).array?.first
        #expect(
            account == [
                "label": "office", "kind": "sip", "user": "101", "server": "pbx.example", "port": 5070, "path": "/",
                "transport": "udp", "registers": true, "encryption": "mandatory", "ice": "answered",
                "credential": "password", "passwordInClear": false,
            ])
        let trust = try facts("account", "trust", phone[0], phone[1]).array?.first
        #expect(trust?["label"] == "office" && trust?["tls"] == false && trust?["hash"] == .null)
        let vault = try facts("vault", "check", phone[0], phone[1])
        #expect(vault["sound"] == true && vault["accounts"] == 1 && vault["problems"] == [])
        let sound = try facts("audio", "list", phone[0], phone[1])
        #expect(sound["routes"]?.array?.first?["route"] == "handset" && sound["ringer"] == .null)
        #expect(try facts("board", "list").array != nil)
    }
}
