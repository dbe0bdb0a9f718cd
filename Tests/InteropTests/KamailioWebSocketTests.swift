import Base
import Bench
import Control
import HostStalls
import Rig
import Testing

/// Phones that reach an independent server by WebSocket only (RFC 7118).
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: Kamailio.isInstalled && Kamailio.knowsTLS && Kamailio.knowsWebSockets && TestAuthority.isPossible,
        "needs kamailio, kamailio-tls-modules, kamailio-websocket-modules and openssl (Scripts/setup test)"))
struct KamailioWebSocketTests {
    private let workplace: Workplace
    private let authority: TestAuthority

    init() throws {
        workplace = try Workplace()
        authority = try TestAuthority(folder: workplace.path + "/authority")
    }

    private func server(_ folder: String = "kamailio", shows: TestAuthority? = nil) throws -> Kamailio {
        try Kamailio(
            folder: workplace.path + "/" + folder, algorithm: "SHA-256", authority: shows ?? authority,
            opensWebSockets: true)
    }

    private func phone(
        _ name: String, _ user: String, _ transport: String, port: UInt16, server: String? = nil
    ) throws -> RigPhone {
        try Kamailio.phone(name, user, transport, port: port, in: workplace.place, server: server) {
            $0.authorities = ["tls", "wss"].contains(transport) ? authority.authorities : nil
        }
    }

    private func talk(_ alice: RigPhone, _ bob: RigPhone) throws {
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        try alice.wait(for: "callAnswered")
        Conversation(first: (alice.mouth, alice.ear, workplace.alice), second: (bob.mouth, bob.ear, workplace.bob))
            .expectUnderstood()
    }

    @Test(
        .limit(minutesEachTime: 1), arguments: Matrix.cases([("ws", "wss"), ("wss", "udp")], others: [("tls", "ws")]))
    func callWorksOverWebSocket(_ alices: String, _ bobs: String) throws {
        let server = try server()
        let alice = try phone("alice", "101", alices, port: 28_200)
        let bob = try phone("bob", "102", bobs, port: 28_400)
        for phone in [alice, bob] { try phone.waitUntilReady() }
        try talk(alice, bob)
        try bob.holdAndResume(seenBy: alice)
        try alice.holdAndResume(seenBy: bob)
        try bob.ask("hangup")
        #expect(try alice.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        let expected = ["ACK"] + Array(repeating: ["INVITE", "ACK"], count: 4).joined() + ["BYE"]
        #expect(server.relayed == expected)
        #expect(server.openedWebSockets == [alices, bobs].count { $0.hasPrefix("ws") })
        for (phone, user) in [(alice, "101"), (bob, "102")] {
            #expect(try server.knows(user))
            #expect(phone.process.stop().exit == .status(0))
            #expect(try !server.knows(user))
        }
        #expect(server.stop() == .status(0))
    }

    /// The server sends a ping after five seconds of silence, and the phones after some more.
    ///
    /// Kamailio (5.6) records its ping only after sending it. It misses a quicker answer, and closes the connection at
    /// the next ping. A phone that never answers loses it every six seconds, ten times for two of them.
    @Test(.limit(minutesEachTime: 1), .wholeMatrixOnly) func webSocketSurvivesSilence() throws {
        let server = try server()
        let phones = [
            try phone("alice", "101", "ws", port: 28_200), try phone("bob", "102", "wss", port: 28_400),
        ]
        for phone in phones { try phone.waitUntilReady() }
        let before = try phones.map { try $0.signals().count }
        MonotonicTime.sleep(.seconds(32))
        let closed = server.openedWebSockets - phones.count
        #expect(closed <= 3, "\(server.complaints)")
        if closed == 0 {
            #expect(try phones.map { try $0.signals().count } == before, "a phone registered again")
            #expect(server.complaints.isEmpty, "\(server.complaints)")
        } else {
            print("Kamailio took \(closed) quick answers for none")
        }
        for phone in phones {
            try phone.waitUntilLine(is: ["registered"])
            #expect(phone.process.stop().exit == .status(0))
        }
        #expect(server.stop() == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func phonesRegisterAgainAfterServerRestart() throws {
        var server = try server()
        let alice = try phone("alice", "101", "ws", port: 28_200)
        let bob = try phone("bob", "102", "ws", port: 28_400)
        for phone in [alice, bob] { try phone.waitUntilReady() }
        #expect(server.stop() == .status(0))
        server = try self.server("again")
        let end = MonotonicTime.now + .seconds(15)
        while try !(server.knows("101") && server.knows("102")), MonotonicTime.now < end {
            MonotonicTime.sleep(.milliseconds(50))
        }
        try talk(alice, bob)
        try alice.ask("hangup")
        #expect(try bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        for phone in [alice, bob] { #expect(phone.process.stop().exit == .status(0)) }
        #expect(server.stop() == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func missingPathIsReported() throws {
        let server = try server()
        let phone = try phone("alice", "101", "ws", port: 28_200, server: Kamailio.address + "/elsewhere")
        try phone.waitUntilLine(is: ["failed"])
        let line = try phone.ask("getSnapshot")["registrations"]?.array?.first
        #expect(line?["message"]?.string?.contains("404 Not Found") == true, "\(String(describing: line))")
        #expect(try server.openedWebSockets == 0 && !server.knows("101"))
        #expect(phone.process.stop().exit == .status(0))
        #expect(server.stop() == .status(0))
    }

    /// A certificate for another name: the phone sends nothing to such a server.
    @Test(.limit(minutesEachTime: 1)) func untrustedServerGetsNoMessage() throws {
        let other = try authority.certifying("elsewhere.example", in: workplace.path + "/elsewhere")
        let server = try server(shows: other)
        let phone = try phone("alice", "101", "wss", port: 28_200)
        try phone.waitUntilLine(is: ["failed"])
        #expect(try server.openedWebSockets == 0 && !server.knows("101"))
        #expect(phone.process.stop().exit == .status(0))
        #expect(server.stop() == .status(0))
    }
}
