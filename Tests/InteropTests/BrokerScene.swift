import Base
import Bench
import Control
import Foundation
import JSON
import Rig
import SIPCore

/// A phone with two accounts, whose server a test plays, and with a broker, whose backend the test plays, too.
final class BrokerScene {
    static let topic = "offhook/desk/caller-info"
    private static let presence = "offhook/desk/presence"

    let workplace: Workplace
    let server: DatagramPeer
    let broker: Broker
    let phone: RigPhone
    let port: UInt16
    private let certificates: Certificates

    /// - Parameters:
    ///   - prefix: Starts the phone by this command.
    ///   - more: More of its configuration.
    init(port: UInt16, prefix: [String] = [], more: String = "", isConnected: Bool = true) throws {
        self.port = port
        workplace = try Workplace()
        server = try DatagramPeer()
        certificates = try Certificates()
        try certificates.make("broker", "DNS:localhost")
        broker = try Broker(Broker.Settings(port: port + 1), certificates)
        var settings = PhoneFolder.Settings(port: port, firstMediaPort: port + 100)
        settings.more = """
            caller_info:
              server: localhost
              port: \(port + 1)
              device: desk
              authorities: \(certificates.authority)
            \(more)
            """
        let folder = try workplace.phoneFolder("desk", settings)
        for (label, user) in [("desk", "102"), ("branch", "202")] {
            try folder.addAccount(
                program: Workplace.phone, label: label, user: user, server: "127.0.0.1:\(server.port)",
                more: ["--no-register", "--no-password"])
        }
        phone = try RigPhone(name: "desk", folder: folder, program: Workplace.phone, prefix: prefix)
        try phone.waitUntilReady()
        if isConnected { try broker.waitForText("online", of: Self.presence) }
    }

    /// The backend describes a call.
    func tell(
        _ number: String, _ name: String? = nil, id: String? = nil, age: Int = 0, type: String = "incoming_call",
        more: [String: JSONValue] = [:]
    ) throws {
        try broker.publish(Self.message(number, name, id: id, age: age, type: type, more: more), to: Self.topic)
    }

    static func message(
        _ number: String, _ name: String? = nil, id: String? = nil, age: Int = 0, type: String = "incoming_call",
        more: [String: JSONValue] = [:]
    ) -> String {
        var members = more
        members["type"] = .string(type)
        members["caller_number"] = .string(number)
        members["timestamp"] = .string("\(Int(Date().timeIntervalSince1970) - age)")
        members["caller_name"] = name.map { .string($0) }
        members["call_id"] = id.map { .string($0) }
        return JSONValue.object(members).text
    }

    /// The account's server offers a call.
    @discardableResult
    func offer(
        _ number: String, name: String? = nil, callID: String = "scripted", extra: [(SIPHeaderName, String)] = [],
        to port: UInt16? = nil
    ) throws -> ScriptedCaller {
        let caller = ScriptedCaller(at: server, callID: callID)
        let identity = (name.map { "\"\($0)\" " } ?? "") + "<sip:\(number)@127.0.0.1>"
        let invite = caller.request(
            .invite, body: ScriptedCaller.session(at: server.host, server.port),
            extra: [(.pAssertedIdentity, identity)] + extra)
        try server.say(invite, to: port ?? self.port)
        return caller
    }

    /// The events of one name so far.
    func events(_ name: String) throws -> [ControlEvent] {
        try phone.collect()
        return phone.all(name)
    }

    /// Waits until everything that the broker has sent before is dealt with.
    func settle() throws {
        try tell("+4999999", "Last", id: "last-\(UUID().uuidString)", type: "call_ended")
        MonotonicTime.sleep(.milliseconds(100))
        try phone.collect()
    }

    func metric(_ name: String) throws -> Double {
        let page = try phone.ask("getMetrics")["text"]?.string ?? ""
        let line = page.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.utf8.count + 1)) } ?? -1
    }

    /// The files that a phone's program has mapped.
    func libraries(of phone: RigPhone) throws -> String {
        try Command(program: ["cat", "/proc/\(phone.process.identifier)/maps"], in: workplace).output
    }
}
