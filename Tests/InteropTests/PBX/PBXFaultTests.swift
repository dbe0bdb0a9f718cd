import Base
import Bench
import Foundation
import HostStalls
import Rig
import Testing

/// A PBX and a telephone that lose power, another address, and a NAT.
@Suite(.serialized, .stallsForgiven, .enabled(if: PBX.isGiven, PBX.need))
struct PBXFaultTests {
    /// After a server was killed and restarted, it has the telephones again, over a connection within seconds.
    @Test(.limit(minutesEachTime: 2), arguments: PBX.given, ["tcp", "tls"])
    func telephonesReturnAfterServerRestart(_ pbx: PBX, transport: String) throws {
        let scene = try PBXScene(pbx)
        let manner = PBXScene.Manner(transport: transport)
        let (alice, bob) = (try scene.phone("101", manner), try scene.phone("102", manner))
        let before = try [alice, bob].map { try scene.registrations(of: $0) }
        scene.server.kill()
        try scene.server.startAgain()
        for (phone, count) in zip([alice, bob], before) { try scene.waitForRegistration(of: phone, after: count) }
        try scene.connect(alice, bob, at: "102")
        scene.converse(alice, bob)
        try alice.ask("hangup")
        try bob.wait(for: "callEnded")
        scene.finish()
    }

    /// A telephone that lost its power registers again at once, although the server knows its former contact.
    @Test(.limit(minutesEachTime: 2), arguments: PBX.given, ["udp", "tls"])
    func telephoneRegistersAfterPowerCut(_ pbx: PBX, transport: String) throws {
        let scene = try PBXScene(pbx)
        let alice = try scene.phone("101", .init(transport: transport))
        try scene.powerCycle(alice)
        scene.server.stop()
    }

    /// Another address in the call: the registration moves, and so does the voice.
    @Test(.limit(minutesEachTime: 2), arguments: PBXCallTests.Case.overUDP)
    func callMovesToNewAddress(_ its: PBXCallTests.Case) throws {
        let scene = try PBXScene(its.pbx, its.protection)
        let manner = PBXScene.Manner.fitting(its.protection, transport: its.transport)
        let alice = try scene.phone("101", manner, address: "any")
        try alice.ask("dial", ["target": .string(PBXSetup.echo)])
        try alice.wait(for: "callAnswered")
        try scene.hosts.readdressFirst()
        try alice.wait(for: "callReconnected", upTo: .seconds(20))
        Conversation(echoOf: (alice.mouth, alice.ear, scene.workplace.alice)).expectUnderstood()
        try alice.ask("hangup")
        try alice.wait(for: "callEnded")
        scene.finish()
    }

    /// A telephone behind a NAT of the kernel calls and is called.
    @Test(.enabled(if: NATWorld.isPossible), .limit(minutesEachTime: 3), arguments: PBX.given, ["udp", "tls"])
    func telephoneBehindNATCallsAndIsCalled(_ pbx: PBX, transport: String) throws {
        let world = try NATWorld(.portDependent, .endpointIndependent)
        let scene = try PBXScene(pbx, server: world.server)
        let alice = try scene.phone("101", .init(transport: transport), on: world.homes[0])
        let bob = try scene.phone("102", .init(transport: transport), on: world.homes[1])
        for (caller, callee, number) in [(alice, bob, "102"), (bob, alice, "101")] {
            try scene.connect(caller, callee, at: number)
            scene.converse(caller, callee)
            try caller.ask("hangup")
            try callee.wait(for: "callEnded")
        }
        scene.finish()
    }
}
