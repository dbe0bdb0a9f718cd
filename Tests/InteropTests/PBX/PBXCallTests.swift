import Bench
import HostStalls
import Rig
import Testing

/// Calls through a PBX, with each protection of the voice that the server supports.
@Suite(.serialized, .stallsForgiven, .enabled(if: PBX.isGiven, PBX.need))
struct PBXCallTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var pbx: PBX
        var protection: PBXProtection
        var transport: String
        var testDescription: String { "\(pbx), \(protection) over \(transport)" }

        static let all: [Case] = PBX.given.flatMap { pbx in
            [
                Case(pbx: pbx, protection: .clear, transport: "udp"),
                Case(pbx: pbx, protection: .clear, transport: "tcp"),
                Case(pbx: pbx, protection: .sdes, transport: "tls"),
                Case(pbx: pbx, protection: .dtls, transport: "udp"),
                Case(pbx: pbx, protection: .dtls, transport: "tls"),
                Case(pbx: pbx, protection: .webrtc, transport: "tls"),
                Case(pbx: pbx, protection: .twoPorts, transport: "tls"),
            ].filter { pbx.protections.contains($0.protection) }
        }
        /// Over UDP, once by each protection.
        static let overUDP: [Case] = PBX.given.flatMap { pbx in
            pbx.protections.map { Case(pbx: pbx, protection: $0, transport: "udp") }
        }
    }

    @Test(.limit(minutesEachTime: 3), arguments: Case.all)
    func bothEndsCallAndHold(_ its: Case) throws {
        let scene = try PBXScene(its.pbx, its.protection)
        print("test: \(scene.server.version)")
        let manner = PBXScene.Manner.fitting(its.protection, transport: its.transport)
        let (alice, bob) = (try scene.phone("101", manner), try scene.phone("102", manner))
        for (caller, callee, number) in [(alice, bob, "102"), (bob, alice, "101")] {
            try scene.connect(caller, callee, at: number)
            scene.converse(caller, callee)
            try callee.holdAndResume(seenBy: callee)
            scene.converse(caller, callee)
            try caller.holdAndResume(seenBy: caller)
            scene.converse(caller, callee)
            let expected = ["clear": "clear", "sdes": "sdes"][its.protection.rawValue] ?? "dtls"
            for phone in [alice, bob] { #expect(try phone.protection() == expected) }
            try callee.ask("hangup")
            #expect(try caller.wait(for: "callEnded").fields["reason"] == "hungUpThere")
            #expect(try callee.wait(for: "callEnded").fields["reason"] == "hungUpHere")
        }
        scene.finish()
    }

    /// An account with optional encryption reaches a server with it, and one without.
    @Test(.limit(minutesEachTime: 2), arguments: PBX.given, [PBXProtection.clear, .sdes])
    func offeredEncryptionReachesServer(_ pbx: PBX, protection: PBXProtection) throws {
        let scene = try PBXScene(pbx, protection)
        let alice = try scene.phone("101", .init(transport: "tls", protection: "offered"))
        try alice.ask("dial", ["target": .string(PBXSetup.echo)])
        try alice.wait(for: "callAnswered")
        Conversation(echoOf: (alice.mouth, alice.ear, scene.workplace.alice)).expectUnderstood()
        if protection == .sdes { #expect(try alice.protection() == "sdes") }
        try alice.ask("hangup")
        try alice.wait(for: "callEnded")
        scene.finish()
    }

    /// The consultation is another call in between: the first call has voice afterwards.
    @Test(.limit(minutesEachTime: 2), arguments: Case.overUDP)
    func secondCallAndReturnKeepVoice(_ its: Case) throws {
        let scene = try PBXScene(its.pbx, its.protection)
        let manner = PBXScene.Manner.fitting(its.protection, transport: its.transport)
        let (alice, bob) = (try scene.phone("101", manner), try scene.phone("102", manner))
        let (first, _) = try scene.connect(alice, bob, at: "102")
        scene.converse(alice, bob)
        try alice.ask("dial", ["target": .string(PBXSetup.echo)])
        try alice.wait(for: "callAnswered")
        try alice.ask("hangup")
        try alice.wait(for: "callEnded")
        try alice.ask("resume", ["call": first])
        try alice.wait(for: "callResumed")
        scene.converse(alice, bob)
        try bob.ask("hangup")
        try alice.wait(for: "callEnded")
        scene.finish()
    }
}
