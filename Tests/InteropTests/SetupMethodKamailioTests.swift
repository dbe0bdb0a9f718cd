import Bench
import Control
import Foundation
import HostStalls
import JSON
import Rig
import Testing

/// Setup of a running phone by its interface, at an independent registrar: `SetupKamailioTests` does the same at a
/// terminal.
@Suite(.serialized, .stallsForgiven, .enabled(if: Kamailio.isInstalled, "needs kamailio"))
struct SetupMethodKamailioTests {
    private let workplace: Workplace
    private let server: Kamailio
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        server = try Kamailio(folder: workplace.path + "/kamailio", algorithm: "SHA-256")
        folder = try workplace.phoneFolder("phone", .init(port: 28_140, firstMediaPort: 28_160))
    }

    private func draft(password: String) -> [String: JSONValue] {
        [
            "label": "office", "user": "101", "server": .string(Kamailio.address), "password": .string(password),
            "protection": "off",
        ]
    }

    private func states(_ phone: RigPhone) throws -> [String] {
        try phone.ask("getSetup")["accounts"]?.array?.compactMap { $0["state"]?.string } ?? []
    }

    /// A wrong password is explained; the correct one is stored, and used at once.
    @Test(.limit(minutesEachTime: 2)) func accountIsTriedStoredAndUsed() throws {
        let secret = Kamailio.password(of: "101")
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        let wrong = try phone.ask("tryAccount", draft(password: "guess"), upTo: .seconds(40))
        #expect(wrong["good"] == false && wrong["code"] == "wrongPassword", "\(wrong)")
        #expect(wrong["message"]?.string?.contains("rejects the password") == true, "\(wrong)")
        let right = try phone.ask("tryAccount", draft(password: secret), upTo: .seconds(40))
        #expect(right["good"] == true && right["code"] == "registered", "\(right)")
        // A trial leaves no registration behind.
        #expect(try !server.knows("101"))

        let before = try phone.ask("getSetup")
        #expect(before["tried"] == right && before["accounts"]?.array?.isEmpty == true, "\(before)")
        #expect(before["vault"]?["key"] == "file" && before["panel"]?["simulated"] == true, "\(before)")
        for told in [wrong, right, before] { #expect(!told.text.contains(secret) && !told.text.contains("guess")) }
        let trial = try #require(right["trial"])
        #expect(try phone.ask("addAccount", ["trial": trial]) == ["label": "office"])
        #expect(throws: ControlClientError.self) { try phone.ask("addAccount", ["trial": trial]) }
        try phone.waitUntilLine(is: ["registered"])
        #expect(try states(phone) == ["registered"] && server.knows("101"))
        // A call to itself returns, and the phone detects the loop: the server finds it.
        let dial = try ChildProcess(
            [Workplace.phone, "ctl", "dial", "101", "--socket", folder.socket], log: workplace.path + "/dial")
        try phone.wait(for: "callRefused") { $0.fields["reason"] == "loop" }
        #expect(dial.wait(upTo: .seconds(10)) != nil)
        #expect(phone.process.stop().exit == .status(0))
        let log = try String(contentsOfFile: folder.log, encoding: .utf8)
        #expect(!log.contains(secret), "\(log)")
        #expect(server.stop() == .status(0))
    }
}
