import Base
import Bench
import Control
import Rig
import HostStalls
import Testing

/// Calls over TLS, through a server whose certificate comes from the test's own authority.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: Kamailio.isInstalled && Kamailio.knowsTLS && TestAuthority.isPossible,
        "needs kamailio, kamailio-tls-modules and openssl (Scripts/setup test)"))
struct KamailioTLSTests {
    private let workplace: Workplace
    private let authority: TestAuthority

    init() throws {
        workplace = try Workplace()
        authority = try TestAuthority(folder: workplace.path + "/authority")
    }

    private func server(_ shown: TestAuthority) throws -> Kamailio {
        try Kamailio(folder: workplace.path + "/kamailio", algorithm: "SHA-256", authority: shown)
    }

    private func phone(_ name: String, _ user: String, _ transport: String, port: UInt16) throws -> RigPhone {
        try Kamailio.phone(name, user, transport, port: port, in: workplace.place) {
            $0.authorities = transport == "tls" ? authority.authorities : nil
        }
    }

    /// Either end may be the one with TLS.
    @Test(
        .limit(minutesEachTime: 1), arguments: Matrix.cases([("tls", "udp"), ("tcp", "tls")], others: [("tls", "tls")]))
    func callWorksOverTLS(_ alices: String, _ bobs: String) throws {
        let server = try server(authority)
        let alice = try phone("alice", "101", alices, port: 28_200)
        let bob = try phone("bob", "102", bobs, port: 28_400)
        for phone in [alice, bob] { try phone.waitUntilReady() }
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        try alice.wait(for: "callAnswered")
        Conversation(first: (alice.mouth, alice.ear, workplace.alice), second: (bob.mouth, bob.ear, workplace.bob))
            .expectUnderstood()
        try bob.holdAndResume(seenBy: alice)
        try bob.ask("hangup")
        #expect(try alice.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        #expect(server.relayed == ["ACK", "INVITE", "ACK", "INVITE", "ACK", "BYE"])
        for phone in [alice, bob] { #expect(phone.process.stop().exit == .status(0)) }
        #expect(server.stop() == .status(0))
    }

    /// For several keep-alive intervals the server answers keep-alives only.
    @Test(.limit(minutesEachTime: 1), .wholeMatrixOnly) func connectionSurvivesSilence() throws {
        let server = try server(authority)
        let alice = try phone("alice", "101", "tcp", port: 28_200)
        let bob = try phone("bob", "102", "tls", port: 28_400)
        for phone in [alice, bob] { try phone.waitUntilReady() }
        let before = try [alice, bob].map { try $0.signals().count }
        // Keep-alives are sent every ten seconds, and an answer is waited for for ten.
        MonotonicTime.sleep(.seconds(32))
        #expect(try [alice, bob].map { try $0.signals().count } == before, "a phone registered again")
        for phone in [alice, bob] { #expect(phone.process.stop().exit == .status(0)) }
        #expect(server.stop() == .status(0))
    }

    /// A certificate from another authority, or for another name: the phone sends nothing to such a server.
    @Test(.limit(minutesEachTime: 1), arguments: [true, false])
    func untrustedServerGetsNoMessage(isOfAnotherAuthority: Bool) throws {
        let other =
            isOfAnotherAuthority
            ? try TestAuthority(folder: workplace.path + "/other")
            : try authority.certifying("elsewhere.example", in: workplace.path + "/elsewhere")
        let server = try server(other)
        let phone = try phone("alice", "101", "tls", port: 28_200)
        try phone.waitUntilLine(is: ["failed"])
        #expect(try !server.knows("101"))
        #expect(phone.process.stop().exit == .status(0))
        #expect(server.stop() == .status(0))
    }
}
