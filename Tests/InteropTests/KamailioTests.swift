import Base
import Bench
import Control
import JSON
import Rig
import HostStalls
import Testing

/// Calls through an independent registrar.
@Suite(.serialized, .stallsForgiven, .enabled(if: Kamailio.isInstalled, "needs kamailio (Scripts/setup test)"))
struct KamailioTests {
    struct Way: CustomTestStringConvertible {
        let algorithm: String
        let alice: String
        let bob: String
        var testDescription: String { "\(algorithm), \(alice) to \(bob)" }
    }

    /// Alice is 101, Bob is 102.
    private final class Scene {
        let workplace: Workplace
        var server: Kamailio
        let alice: RigPhone
        let bob: RigPhone

        init(_ way: Way) throws {
            workplace = try Workplace()
            server = try Kamailio(folder: workplace.path + "/kamailio", algorithm: way.algorithm)
            alice = try Kamailio.phone("alice", "101", way.alice, port: 28_200, in: workplace.place)
            bob = try Kamailio.phone("bob", "102", way.bob, port: 28_400, in: workplace.place)
            try alice.waitUntilReady()
            try bob.waitUntilReady()
        }

        func establish() throws {
            try alice.ask("dial", ["target": "102"])
            let call = try bob.wait(for: "incomingCall")
            #expect(call.fields["summary"]?["number"] == "101")
            try alice.wait(for: "toneChanged") { $0.fields["tone"] == "ringback" }
            try bob.ask("answer")
            for phone in [alice, bob] {
                try phone.wait(for: "callAnswered")
                try phone.wait(for: "firstVoice")
            }
        }

        func converse() {
            Conversation(first: (alice.mouth, alice.ear, workplace.alice), second: (bob.mouth, bob.ear, workplace.bob))
                .expectUnderstood()
        }

        /// An unregistered phone is no longer found.
        func finish() throws {
            for (phone, user) in [(alice, "101"), (bob, "102")] {
                #expect(try server.knows(user))
                #expect(phone.process.stop().exit == .status(0))
                #expect(try !server.knows(user))
            }
            #expect(server.stop() == .status(0))
        }
    }

    @Test(
        .limit(minutesEachTime: 2),
        arguments: Matrix.cases(
            [
                Way(algorithm: "MD5", alice: "udp", bob: "udp"), Way(algorithm: "SHA-256", alice: "tcp", bob: "tcp"),
            ], others: [Way(algorithm: "SHA-256", alice: "udp", bob: "tcp")]))
    func callWorksThroughServer(way: Way) throws {
        let scene = try Scene(way)
        try scene.establish()
        scene.converse()
        try scene.alice.holdAndResume(seenBy: scene.alice, scene.bob)
        try scene.bob.holdAndResume(seenBy: scene.alice, scene.bob)
        scene.converse()
        try scene.bob.ask("hangup")
        #expect(try scene.alice.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        #expect(try scene.bob.wait(for: "callEnded").fields["reason"] == "hungUpHere")
        // Every request inside the call went through the server too: the answer's ACK, four changes, the end.
        let expected = ["ACK"] + Array(repeating: ["INVITE", "ACK"], count: 4).joined() + ["BYE"]
        #expect(scene.server.relayed == expected)
        try scene.finish()
    }

    @Test(.limit(minutesEachTime: 1)) func failedCallsHaveReasons() throws {
        let scene = try Scene(Way(algorithm: "MD5", alice: "udp", bob: "tcp"))
        try scene.alice.ask("dial", ["target": "199"])
        let unknown = try scene.alice.wait(for: "callFailed")
        #expect(unknown.fields["reason"] == "rejected" && unknown.fields["status"] == 404)

        try scene.alice.ask("dial", ["target": "102"])
        try scene.bob.wait(for: "incomingCall")
        try scene.alice.ask("hangup")
        #expect(try scene.alice.wait(for: "callEnded").fields["reason"] == "hungUpHere")
        #expect(try scene.bob.wait(for: "missedCall").fields["reason"] == "remoteHungUp")

        try scene.alice.ask("dial", ["target": "102"])
        try scene.bob.wait(for: "incomingCall")
        try scene.bob.ask("hangup")
        #expect(try scene.alice.wait(for: "callEnded").fields["reason"] == "declinedThere")
        try scene.finish()
    }

    @Test(.limit(minutesEachTime: 1)) func wrongPasswordIsReported() throws {
        let workplace = try Workplace()
        let server = try Kamailio(folder: workplace.path + "/kamailio", algorithm: "SHA-256")
        let phone = try Kamailio.phone("carl", "103", "udp", port: 28_600, in: workplace.place, password: "guess")
        let line = try settledLine(of: phone)
        #expect(line["state"] == "failed")
        #expect(line["message"]?.string?.contains("401") == true, "\(line)")
        let refusal = #expect(throws: ControlClientError.self) { try phone.ask("dial", ["target": "102"]) }
        let code: String? = if case .refused(let code, _, _)? = refusal { code } else { nil }
        #expect(code == "lineNotReady")
        #expect(try !server.knows("103"))
        #expect(phone.process.stop().exit == .status(0))
        #expect(server.stop() == .status(0))
    }

    /// A restarted server has lost all registrations. A phone with a connection to it notices.
    @Test(.limit(minutesEachTime: 1)) func phonesRegisterAgainAfterServerRestart() throws {
        let scene = try Scene(Way(algorithm: "MD5", alice: "tcp", bob: "tcp"))
        #expect(scene.server.stop() == .status(0))
        scene.server = try Kamailio(folder: scene.workplace.path + "/again", algorithm: "SHA-256")
        let end = MonotonicTime.now + .seconds(15)
        while try !(scene.server.knows("101") && scene.server.knows("102")), MonotonicTime.now < end {
            MonotonicTime.sleep(.milliseconds(50))
        }
        try scene.establish()
        try scene.alice.ask("hangup")
        #expect(try scene.bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        try scene.finish()
    }

    /// The phone's account, once its registration has a result.
    private func settledLine(of phone: RigPhone) throws -> JSONValue {
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end {
            let lines = try phone.ask("getSnapshot")["registrations"]?.array ?? []
            if let line = lines.first(where: { $0["state"] != "registering" }) { return line }
            MonotonicTime.sleep(.milliseconds(20))
        }
        throw KamailioProcess.Failure(description: "the registration is not settled")
    }
}
