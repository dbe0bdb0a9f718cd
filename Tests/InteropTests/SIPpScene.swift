import Base
import Bench
import Rig
import Testing

/// A phone that treats SIPp as its server, in clear.
final class SIPpScene {
    let workplace: Workplace
    let phone: RigPhone
    private let name: String
    private let port: UInt16
    /// The port of the SIPp that it talks to.
    private let server: UInt16
    private var plays = 0

    init(
        sharing workplace: Workplace? = nil, name: String = "phone", port: UInt16 = 29_060, server: UInt16 = SIPp.port
    ) throws {
        let place = try workplace ?? Workplace()
        (self.workplace, self.name, self.port, self.server) = (place, name, port, server)
        let folder = try place.phoneFolder(name, .init(port: port, firstMediaPort: port + 200))
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: "101", server: "127.0.0.1:\(server)",
            more: ["--no-register", "--no-password", "--protection", "off"])
        phone = try RigPhone(name: name, folder: folder, program: Workplace.phone)
        try phone.waitUntilReady()
    }

    func play(_ scenario: Scenario, _ options: [String] = []) throws -> SIPp { try play(scenario.xml, options) }

    func play(_ scenario: String, _ options: [String] = []) throws -> SIPp {
        plays += 1
        return try SIPp(
            scenario, folder: "\(workplace.path)/\(name)-sipp-\(plays)", phone: port, port: server, options: options)
    }

    // MARK: The person's actions

    func answer() throws {
        try phone.wait(for: "incomingCall")
        try phone.ask("answer")
        try phone.wait(for: "callAnswered")
    }

    func dial() throws {
        try phone.ask("dial", ["target": "102"])
        try phone.wait(for: "callAnswered")
    }

    func hangUp() throws {
        try phone.ask("hangup")
        try expectEnd("hungUpHere")
    }

    func expectEnd(_ reason: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        // SIPp's own call length may be that of a conversation.
        let end = try phone.wait(for: "callEnded", upTo: .seconds(12))
        #expect(end.fields["reason"]?.string == reason, sourceLocation: sourceLocation)
    }

    /// SIPp sends back what it receives: the phone's speech must return to its own ear.
    func hearOneself(sourceLocation: SourceLocation = #_sourceLocation) {
        Conversation(echoOf: (phone.mouth, phone.ear, workplace.alice)).expectUnderstood(sourceLocation: sourceLocation)
    }

    /// SIPp calls, holds, resumes, and is hung up on.
    func beHeldAndResumed(by scenario: Scenario) throws {
        let sipp = try play(scenario)
        try answer()
        try phone.wait(for: "callHeld")
        try phone.wait(for: "callResumed")
        try hangUp(on: sipp)
    }

    /// The end of most scenes.
    func hangUp(on sipp: SIPp) throws {
        try hangUp()
        try sipp.finish()
        try finish()
    }

    func finish() throws { #expect(phone.process.stop().exit == .status(0)) }
}
