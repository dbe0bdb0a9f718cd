import Bench
import HostStalls
import JSON
import Rig
import Testing

/// Phones at a server that speaks Verto (`Tests/Servers/verto.py`), whose media are aiortc's: ICE, DTLS and Opus that
/// nobody here wrote.
@Suite(
    .serialized, .stallsForgiven, .enabled(if: VertoServer.isPossible, "needs aiortc (Scripts/webrtc)"))
struct VertoTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func phone(_ user: String, _ kind: String, _ server: String, port: UInt16) throws -> RigPhone {
        let name = "phone-\(user)"
        let folder = try workplace.phoneFolder(name, PhoneFolder.Settings(port: port, firstMediaPort: port + 10))
        let secret = folder.path + "/password"
        try TextFile.write(VertoServer.password(of: user), to: secret)
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: user, server: server,
            more: ["--kind", kind, "--transport", "ws", "--password-file", secret])
        let phone = try RigPhone(name: name, folder: folder, program: Workplace.phone)
        try phone.waitUntilLine(is: ["registered"])
        return phone
    }

    /// - Parameter kind: the account's, and the server's dialect.
    @Test(
        .limit(minutesEachTime: 2),
        arguments: Matrix.cases([["telnyx", "telnyx"]], others: [["verto", "freeswitch"]]))
    func phonesCallEachOther(kind: [String]) throws {
        let server = try VertoServer(folder: workplace.path + "/verto", dialect: kind[1])
        let address = "127.0.0.1:\(server.port)"
        let alice = try phone("101", kind[0], address, port: 28_200)
        let bob = try phone("102", kind[0], address, port: 28_400)
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
        Conversation(first: (alice.mouth, alice.ear, workplace.alice), second: (bob.mouth, bob.ear, workplace.bob))
            .expectUnderstood()
        let calls = try alice.ask("getSnapshot")["calls"]?.array
        #expect(calls?.first?["protection"]?.string == "dtls")

        try alice.ask("hold")
        try alice.wait(for: "callHeld")
        try alice.ask("resume")
        try alice.wait(for: "callResumed")
        try alice.ask("hangup")
        for phone in [alice, bob] { try phone.wait(for: "callEnded") }
        #expect(try #require(alice.all("callEnded").first).fields["reason"] == "hungUpHere")
        #expect(try #require(bob.all("callEnded").first).fields["reason"] == "hungUpThere")
        #expect(server.events("fault").isEmpty)
        for phone in [alice, bob] { #expect(phone.process.stop().exit == .status(0)) }
    }

    /// The server gives both calls back, with media of their own.
    @Test(.limit(minutesEachTime: 2)) func aCallSurvivesALostConnection() throws {
        let server = try VertoServer(folder: workplace.path + "/verto", dialect: "telnyx")
        let address = "127.0.0.1:\(server.port)"
        let alice = try phone("101", "telnyx", address, port: 28_200)
        let bob = try phone("102", "telnyx", address, port: 28_400)
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
        server.order(#"{"do": "drop-sockets"}"#)
        try server.wait(for: "login", times: 4)
        for phone in [alice, bob] { try phone.waitUntilLine(is: ["registered"]) }
        Conversation(first: (alice.mouth, alice.ear, workplace.alice), second: (bob.mouth, bob.ear, workplace.bob))
            .expectUnderstood()
        #expect(alice.all("callEnded").isEmpty && bob.all("callEnded").isEmpty)
        try bob.ask("hangup")
        for phone in [alice, bob] { try phone.wait(for: "callEnded") }
        #expect(server.events("fault").isEmpty)
        for phone in [alice, bob] { #expect(phone.process.stop().exit == .status(0)) }
    }

    @Test(
        .limit(minutesEachTime: 2),
        arguments: [("busy", "callEnded", "busyThere"), ("5550199", "callFailed", "rejected")])
    func whatTheServerSaysIsTheReason(target: (name: String, event: String, reason: String)) throws {
        let server = try VertoServer(folder: workplace.path + "/verto", dialect: "telnyx")
        let alice = try phone("101", "telnyx", "127.0.0.1:\(server.port)", port: 28_200)
        try alice.ask("dial", ["target": .string("sip:\(target.name)@127.0.0.1")])
        let end = try alice.wait(for: target.event)
        #expect(end.fields["reason"]?.string == target.reason, "\(end.fields)")
        #expect(alice.process.stop().exit == .status(0))
    }
}
