import Base
import Bench
import Control
import Foundation
import HostStalls
import JSON
import Rig
import Testing

/// Phones at a Verto server (`Tests/Servers/verto.py`) with aiortc's independent media: ICE, DTLS and Opus.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: VertoServer.isPossible && TestAuthority.isPossible,
        "needs aiortc (Scripts/webrtc) and openssl (Scripts/setup test)"))
struct VertoTests {
    private enum MediaWay { case server, past }

    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// - Parameters:
    /// - authority: The issuer of the server's certificate. Nil: the WebSocket is in clear.
    /// - place: Distinguishes the phones of one user.
    private func phone(
        _ user: String, _ kind: String, _ server: String, port: UInt16, by authority: TestAuthority? = nil,
        place: String = "desk", more: [String] = []
    ) throws -> RigPhone {
        let name = "\(place)-\(user)"
        var settings = PhoneFolder.Settings(port: port, firstMediaPort: port + 10)
        settings.authorities = authority?.authorities
        // TLS is the default of an account.
        let transport = authority == nil ? ["--transport", "ws"] : []
        return try RigPhone(
            verto: user, kind, at: server, name: name, folder: try workplace.phoneFolder(name, settings),
            more: transport + more)
    }

    /// Alice calls Bob, who answers.
    private func establish(_ alice: RigPhone, _ bob: RigPhone) throws {
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
    }

    /// - Parameter way: where the media are: at the server, which transcodes them, or bypassing it.
    private func expectUnderstood(_ alice: RigPhone, _ bob: RigPhone, _ way: MediaWay) {
        Conversation(
            first: (alice.mouth, alice.ear, workplace.alice), second: (bob.mouth, bob.ear, workplace.bob),
            isTranscoded: way == .server
        ).expectUnderstood()
    }

    private func hangUp(_ alice: RigPhone, _ bob: RigPhone) throws {
        try alice.ask("hangup")
        for phone in [alice, bob] { try phone.wait(for: "callEnded") }
    }

    private func stop(_ phones: RigPhone...) {
        for phone in phones { #expect(phone.process.stop().exit == .status(0)) }
    }

    /// The kitchen's report of a call that was answered at the desk.
    private func expectAnsweredElsewhere(_ kitchen: RigPhone) throws {
        try kitchen.wait(for: "answeredElsewhere")
        #expect(try kitchen.wait(for: "callEnded").fields["reason"] == "answeredElsewhere")
        let snapshot = try kitchen.ask("getSnapshot")
        #expect(snapshot["missed"]?.array?.isEmpty == true && snapshot["calls"]?.array?.isEmpty == true)
        try kitchen.collect()
        #expect(kitchen.all("missedCall").isEmpty)
    }

    /// Over TLS, to a user with two phones.
    /// - Parameter kind: the account's, and the server's dialect.
    @Test(
        .limit(minutesEachTime: 2),
        arguments: Matrix.cases([["telnyx", "telnyx"]], others: [["verto", "freeswitch"]]))
    func phonesCallEachOther(kind: [String]) throws {
        let authority = try TestAuthority(folder: workplace.path + "/authority")
        let server = try VertoServer(folder: workplace.path + "/verto", dialect: kind[1], authority: authority)
        let address = "localhost:\(server.port)"
        let alice = try phone("101", kind[0], address, port: 28_200, by: authority)
        let bob = try phone("102", kind[0], address, port: 28_400, by: authority)
        let kitchen = try phone("102", kind[0], address, port: 28_600, by: authority, place: "kitchen")
        try alice.ask("dial", ["target": "102"])
        for phone in [bob, kitchen] { try phone.wait(for: "incomingCall") }
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
        try expectAnsweredElsewhere(kitchen)
        stop(kitchen)
        expectUnderstood(alice, bob, .server)
        #expect(try alice.protection() == "dtls")
        #expect(try alice.words() != bob.words(), "each has keys with the server, which can hear the call")

        // A server that accepts no digits in the media gets them as messages.
        try alice.ask("sendDTMF", ["digits": "5#"])
        try alice.wait(for: "dtmfSent")
        #expect(server.events("dtmf").map { $0["digits"] } == ["5", "#"])
        try alice.ask("hold")
        try alice.wait(for: "callHeld")
        try alice.ask("resume")
        try alice.wait(for: "callResumed")
        try hangUp(alice, bob)
        #expect(try #require(alice.all("callEnded").first).fields["reason"] == "hungUpHere")
        #expect(try #require(bob.all("callEnded").first).fields["reason"] == "hungUpThere")
        #expect(server.events("fault").isEmpty)
        stop(alice, bob)
    }

    /// The server forwards each phone's description, and the keys are the phones' own.
    @Test(.limit(minutesEachTime: 2)) func wordsMatchWhenMediaBypassServer() throws {
        let server = try VertoServer(folder: workplace.path + "/verto", dialect: "telnyx", more: ["--bypass-media"])
        let address = "127.0.0.1:\(server.port)"
        let alice = try phone("101", "telnyx", address, port: 28_200)
        let bob = try phone("102", "telnyx", address, port: 28_400)
        try establish(alice, bob)
        #expect(try server.wait(for: "bridged")["past"] == true)
        let read = try alice.words()
        #expect(try bob.words() == read && read.split(separator: " ").count == 4)
        for phone in [alice, bob] {
            #expect(try phone.protection() == "dtls")
            let said = try Command(["ctl", "words", "agree", "--socket", phone.folder.socket], in: workplace)
            #expect(said.exit == .status(0), "\(said)")
            #expect(try phone.protection() == "verified")
        }
        try alice.ask("hold")
        try alice.wait(for: "callHeld")
        try alice.ask("resume")
        try alice.wait(for: "callResumed")
        expectUnderstood(alice, bob, .past)
        // The server reattaches the calls, and the media are unaffected.
        try server.order(#"{"do": "drop-sockets"}"#)
        try server.wait(for: "attached", times: 2)
        for phone in [alice, bob] { try phone.waitUntilLine(is: ["registered"]) }
        expectUnderstood(alice, bob, .past)
        for phone in [alice, bob] { #expect(try phone.words() == read, "no other keys") }
        // The other phone accepts digits in the media, so the server need not forward them.
        try alice.ask("sendDTMF", ["digits": "7"])
        #expect(try bob.wait(for: "dtmfReceived").fields["digit"] == "7")
        #expect(server.events("dtmf").isEmpty)
        try hangUp(alice, bob)

        // A verified party need not be compared again.
        try establish(alice, bob)
        #expect(try alice.words() == bob.words() && alice.words() != read)
        for phone in [alice, bob] { #expect(try phone.protection() == "verified") }
        try hangUp(alice, bob)
        #expect(server.events("fault").isEmpty)
        stop(alice, bob)
    }

    // MARK: Trickled candidates

    /// The server's next event, and the time until it came.
    private func event(_ name: String, _ server: VertoServer, since began: Instant) throws -> (JSONValue, Duration) {
        while server.events(name).isEmpty, MonotonicTime.now - began < .seconds(10) {
            MonotonicTime.sleep(.milliseconds(1))
        }
        return (try #require(server.events(name).first), MonotonicTime.now - began)
    }

    /// Tells the phones a mapped address that nothing answers at.
    private func answer(_ stun: DatagramPeer) throws {
        while let question = stun.hear(upTo: .milliseconds(100)) {
            guard question.count >= 20 else { continue }
            // 127.0.0.9, port 9, each hidden by the cookie (RFC 8489 §14.2).
            let mapped: [UInt8] = [0, 0x20, 0, 8, 0, 1, 0x21, 0x1B, 0x5E, 0x12, 0xA4, 0x4B]
            try stun.say([1, 1, 0, 12] + question[4..<20] + mapped, to: stun.sender)
        }
    }

    /// The offer does not wait for a slow STUN server. Its late result follows offer and answer, and a missing one is
    /// not waited for.
    @Test(
        .limit(minutesEachTime: 2),
        arguments: Matrix.cases(
            [["--bypass-media", "late"]], others: [["--setup=active", "late"], ["--bypass-media", "never"]]))
    func slowServerDoesNotDelayOffer(how: [String]) throws {
        let server = try VertoServer(folder: workplace.path + "/verto", dialect: "telnyx", more: [how[0]])
        let stun = try DatagramPeer()
        let more = ["--stun", "127.0.0.1:\(stun.port)"]
        let address = "127.0.0.1:\(server.port)"
        let alice = try phone("101", "telnyx", address, port: 28_200, more: more)
        let bob = try phone("102", "telnyx", address, port: 28_400, more: more)
        let began = MonotonicTime.now
        try alice.ask("dial", ["target": "102"])
        let (invite, took) = try event("invite", server, since: began)
        print("the offer was there after \(took.milliseconds) ms")
        #expect(invite["trickle"] == true && took < .milliseconds(300), "\(invite) after \(took)")
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
        if how[1] == "late" {
            try answer(stun)
            try server.wait(for: "candidate", times: 4)
            for user in ["101", "102"] {
                let last = server.events("candidate").filter { $0["user"]?.string == user }.map { $0["last"] }
                #expect(last == [false, true], "\(user)")
            }
        }
        expectUnderstood(alice, bob, how[0] == "--bypass-media" ? .past : .server)
        try hangUp(alice, bob)
        #expect(server.events("fault").isEmpty)
        stop(alice, bob)
    }

    /// A server that changes a fingerprint on the way causes no audible far end.
    @Test(.limit(minutesEachTime: 2)) func changedFingerprintEndsCall() throws {
        let server = try VertoServer(
            folder: workplace.path + "/verto", dialect: "telnyx", more: ["--bypass-media", "--wrong-fingerprint"])
        let address = "127.0.0.1:\(server.port)"
        let alice = try phone("101", "telnyx", address, port: 28_200)
        let bob = try phone("102", "telnyx", address, port: 28_400)
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        // It is reported that the call ended before it was up.
        _ = try? bob.ask("answer")
        // The end that notices hangs up; the other end learns it before or after noticing itself.
        let ends = try [alice, bob].map(end)
        #expect(ends.contains { $0.fields["reason"]?.string == "mediaFailed" }, "\(ends.map(\.fields))")
        for phone in [alice, bob] { #expect(phone.all("firstVoice").isEmpty) }
        stop(alice, bob)
    }

    private func end(of phone: RigPhone) throws -> ControlEvent {
        for _ in 0..<75 {
            for name in ["callFailed", "callEnded"] {
                if let end = try? phone.wait(for: name, upTo: .milliseconds(100)) { return end }
            }
        }
        return try phone.wait(for: "callFailed")
    }

    // MARK: A token

    private func tokenPhone(_ token: String, _ server: VertoServer) throws -> RigPhone {
        let folder = try workplace.phoneFolder(
            "phone-103", PhoneFolder.Settings(port: 28_200, firstMediaPort: 28_210))
        let secret = folder.path + "/token"
        try TextFile.write(token + "\n", to: secret)
        try folder.addAccount(
            program: Workplace.phone, label: "desk", server: "127.0.0.1:\(server.port)",
            more: ["--kind", "telnyx", "--transport", "ws", "--token-file", secret])
        try FileManager.default.removeItem(atPath: secret)
        return try RigPhone(name: "phone-103", folder: folder, program: Workplace.phone)
    }

    /// Nothing that the phone wrote contains it.
    private func expectNoToken(_ token: String, _ phone: RigPhone) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: phone.folder.path) {
            let bytes = FileManager.default.contents(atPath: phone.folder.path + "/" + name) ?? Data()
            #expect(bytes.range(of: Data(token.suffix(12).utf8)) == nil, "\(name)")
        }
    }

    /// The server's instance is requested again after the connection was lost.
    @Test(.limit(minutesEachTime: 2)) func tokenLogsIn() throws {
        let server = try VertoServer(folder: workplace.path + "/verto", dialect: "telnyx")
        let phone = try tokenPhone(VertoServer.token, server)
        try phone.waitUntilLine(is: ["registered"])
        #expect(server.events("login").last?["user"] == "103" && server.events("socket").last?["sdk_id"] == "")
        try phone.ask("dial", ["target": "sip:echo@127.0.0.1"])
        try phone.wait(for: "callAnswered")
        try phone.ask("hangup")
        try phone.wait(for: "callEnded")
        try server.order(#"{"do": "drop-sockets"}"#)
        let login = try server.wait(for: "login", times: 2)
        #expect(login["kept_sdk_id"] == true && login["reconnection"] == true, "\(login)")
        #expect(try #require(server.events("socket").last?["sdk_id"]?.string).utf8.count == 36)
        try phone.waitUntilLine(is: ["registered"])
        stop(phone)
        try expectNoToken(VertoServer.token, phone)
    }

    /// A refused token is reported like a wrong password: with an explanation, and without an immediate retry.
    @Test(.limit(minutesEachTime: 2)) func refusedTokenIsExplained() throws {
        let server = try VertoServer(folder: workplace.path + "/verto", dialect: "telnyx")
        let token = VertoServer.token + "-expired"
        let phone = try tokenPhone(token, server)
        try server.wait(for: "refused")
        try phone.waitUntilLine(is: ["failed"])
        let lines = try phone.ask("getSnapshot")["registrations"]?.array ?? []
        let why = lines.compactMap { $0["message"]?.string }.joined()
        #expect(why.contains("token") && why.contains("expired"), "\(lines)")
        #expect(!lines.contains { $0.text.contains(token.suffix(12)) })
        stop(phone)
        try expectNoToken(token, phone)
    }

    /// The server reattaches both calls, with new media.
    @Test(
        .limit(minutesEachTime: 2),
        arguments: Matrix.cases([["--one-certificate"]], others: [[], ["--one-certificate", "--setup=passive"]]))
    func callSurvivesLostConnection(more: [String]) throws {
        let server = try VertoServer(folder: workplace.path + "/verto", dialect: "telnyx", more: more)
        let address = "127.0.0.1:\(server.port)"
        let alice = try phone("101", "telnyx", address, port: 28_200)
        let bob = try phone("102", "telnyx", address, port: 28_400)
        try establish(alice, bob)
        try server.order(#"{"do": "drop-sockets"}"#)
        try server.wait(for: "login", times: 4)
        for phone in [alice, bob] { try phone.waitUntilLine(is: ["registered"]) }
        expectUnderstood(alice, bob, .server)
        #expect(alice.all("callEnded").isEmpty && bob.all("callEnded").isEmpty)
        try bob.ask("hangup")
        for phone in [alice, bob] { try phone.wait(for: "callEnded") }
        #expect(server.events("fault").isEmpty)
        for phone in [alice, bob] { #expect(phone.process.stop().exit == .status(0)) }
    }

    /// The restarted server has its calls, and none of their media. It would take a phone's old port for continuing
    /// media.
    @Test(.limit(minutesEachTime: 2)) func callSurvivesServerCrash() throws {
        let server = try VertoServer(
            folder: workplace.path + "/verto", dialect: "freeswitch", more: ["--one-certificate"])
        let address = "127.0.0.1:\(server.port)"
        let alice = try phone("101", "verto", address, port: 28_200)
        let bob = try phone("102", "verto", address, port: 28_400)
        try establish(alice, bob)
        expectUnderstood(alice, bob, .server)
        for times in 1...2 {
            try server.order(#"{"do": "crash"}"#)
            try server.wait(for: "attached", times: 2 * times)
            for phone in [alice, bob] { try phone.waitUntilLine(is: ["registered"]) }
            expectUnderstood(alice, bob, .server)
        }
        try hangUp(alice, bob)
        for name in ["fault", "unchanged"] { #expect(server.events(name).isEmpty) }
        stop(alice, bob)
    }

    @Test(
        .limit(minutesEachTime: 2),
        arguments: [("busy", "callEnded", "busyThere"), ("5550199", "callFailed", "rejected")])
    func serverCauseBecomesReason(target: (name: String, event: String, reason: String)) throws {
        let server = try VertoServer(folder: workplace.path + "/verto", dialect: "telnyx")
        let alice = try phone("101", "telnyx", "127.0.0.1:\(server.port)", port: 28_200)
        try alice.ask("dial", ["target": .string("sip:\(target.name)@127.0.0.1")])
        let end = try alice.wait(for: target.event)
        #expect(end.fields["reason"]?.string == target.reason, "\(end.fields)")
        #expect(alice.process.stop().exit == .status(0))
    }
}
