import Base
import Bench
import Control
import HostStalls
import JSON
import Rig
import SIPCore
import Testing

/// An account that a call or the configuration uses keeps its settings, and says why.
@Suite(.serialized, .stallsForgiven) struct AccountInUseTests {
    private let workplace: Workplace
    private let server: DatagramPeer
    private let phone: RigPhone
    private let port: UInt16 = 28_380

    init() throws {
        workplace = try Workplace()
        server = try DatagramPeer()
        var settings = PhoneFolder.Settings(port: port, firstMediaPort: 28_390)
        settings.more = "calls: { voicemail: { spare: \"*97\" } }\n"
        let folder = try workplace.phoneFolder("desk", settings)
        for label in ["desk", "spare"] {
            try folder.addAccount(
                program: Workplace.phone, label: label, user: "102", server: "127.0.0.1:\(server.port)",
                more: ["--no-register", "--no-password"])
        }
        phone = try RigPhone(name: "desk", folder: folder, program: Workplace.phone)
        try phone.waitUntilReady()
    }

    private func code(_ method: String, _ params: [String: JSONValue]) throws -> String? {
        do {
            try phone.ask(method, params)
            return nil
        } catch ControlClientError.refused(let code, _, _) {
            return code
        }
    }

    @Test(.limit(minutesEachTime: 1)) func callAndConfigurationKeepTheirAccounts() throws {
        let caller = ScriptedCaller(at: server)
        try server.say(
            caller.request(.invite, body: ScriptedCaller.session(at: server.host, server.port)), to: port)
        let call = try phone.wait(for: "incomingCall").fields["call"] ?? .null
        #expect(try code("removeAccount", ["account": "desk"]) == "inCall")
        #expect(try code("changeAccount", ["account": "desk", "user": "103"]) == "inCall")
        #expect(try code("removeAccount", ["account": "spare"]) == "accountInUse")
        #expect(try phone.ask("getSetup")["accounts"]?.array?.count == 2)
        try phone.ask("decline", ["call": call])
        try phone.wait(for: "callEnded")
        #expect(try code("removeAccount", ["account": "desk"]) == nil)
        #expect(try phone.ask("getSetup")["accounts"]?.array?.count == 1)
        #expect(phone.process.stop().exit == .status(0))
    }
}
