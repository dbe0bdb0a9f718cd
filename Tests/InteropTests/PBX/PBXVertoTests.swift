import Base
import Bench
import HostStalls
import Rig
import Testing

/// Verto accounts at FreeSWITCH's mod_verto.
@Suite(.serialized, .stallsForgiven, .enabled(if: PBX.isGiven && PBX.given.contains(.freeswitch), PBX.need))
struct PBXVertoTests {
    private func scene(more: String = "") throws -> (PBXScene, RigPhone, RigPhone) {
        let scene = try PBXScene(.freeswitch)
        return (scene, try scene.phone("101", .verto, more: more), try scene.phone("102", .verto))
    }

    @Test(.limit(minutesEachTime: 3)) func bothEndsCallAndHold() throws {
        let (scene, alice, bob) = try scene()
        for (caller, callee, number) in [(alice, bob, "102"), (bob, alice, "101")] {
            try scene.connect(caller, callee, at: number)
            scene.converse(caller, callee)
            try caller.holdAndResume(seenBy: caller)
            scene.converse(caller, callee)
            for phone in [alice, bob] { #expect(try phone.protection() == "dtls") }
            try callee.ask("hangup")
            try caller.wait(for: "callEnded")
        }
        scene.finish()
    }

    @Test(.limit(minutesEachTime: 3)) func vertoCallsSIPAndIsCalledByIt() throws {
        let scene = try PBXScene(.freeswitch)
        let (alice, bob) = (try scene.phone("101", .verto), try scene.phone("102"))
        for (caller, callee, number) in [(alice, bob, "102"), (bob, alice, "101")] {
            try scene.connect(caller, callee, at: number)
            scene.converse(caller, callee)
            try callee.ask("hangup")
            try caller.wait(for: "callEnded")
        }
        scene.finish()
    }

    @Test(.limit(minutesEachTime: 2)) func blindTransferConnectsOtherEnds() throws {
        let (scene, alice, bob) = try scene()
        let carol = try scene.phone("103")
        try scene.connect(alice, bob, at: "102")
        try alice.ask("transfer", ["to": "103"])
        try carol.wait(for: "incomingCall")
        try carol.ask("answer")
        try carol.wait(for: "callAnswered")
        try alice.wait(for: "callEnded")
        scene.converse(bob, carol)
        try bob.ask("hangup")
        try carol.wait(for: "callEnded")
        scene.finish()
    }

    /// Alice's lamp for Bob shows that his telephone rings, is in use, and is free.
    @Test(.limit(minutesEachTime: 2)) func lampShowsWatchedUser() throws {
        let (scene, alice, bob) = try scene(
            more: "calls: {speed_dials: {1: {targets: [\"102\"], watch: phone}}}\n")
        let carol = try scene.phone("103")
        try scene.expectLamp(alice, "off")
        try carol.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try scene.expectLamp(alice, "fastBlink")
        try bob.ask("answer")
        try carol.wait(for: "callAnswered")
        try scene.expectLamp(alice, "on")
        try bob.ask("hangup")
        try scene.expectLamp(alice, "off")
        scene.finish()
    }

    @Test(.limit(minutesEachTime: 2)) func voiceMessageIsCounted() throws {
        let scene = try PBXScene(.freeswitch)
        let alice = try scene.phone("101", .verto, asksForMessages: true)
        // mod_verto reports only what happens after the subscription.
        MonotonicTime.sleep(.seconds(1))
        try scene.server.leaveMessage(for: "101")
        let told = try alice.wait(for: "messagesWaiting", upTo: .seconds(10)) { $0.fields["count"] != 0 }
        #expect(told.fields["count"] == 1)
        scene.finish()
    }

    /// The server loses its power and recovers its calls.
    @Test(.limit(minutesEachTime: 2)) func callSurvivesServerCrash() throws {
        let scene = try PBXScene(.freeswitch)
        let alice = try scene.phone("101", .verto)
        try alice.ask("dial", ["target": .string(PBXSetup.echo)])
        try alice.wait(for: "callAnswered")
        Conversation(echoOf: (alice.mouth, alice.ear, scene.workplace.alice)).expectUnderstood()
        scene.server.kill()
        try scene.server.startAgain()
        try alice.waitUntilLine(is: ["registered"], upTo: .seconds(30))
        try scene.server.command("fsctl recover")
        // FreeSWITCH looks each second for the clients of recovered calls.
        MonotonicTime.sleep(.seconds(4))
        Conversation(echoOf: (alice.mouth, alice.ear, scene.workplace.alice)).expectUnderstood()
        try alice.ask("hangup")
        try alice.wait(for: "callEnded")
        scene.finish()
    }

    /// Another address in the call.
    @Test(.limit(minutesEachTime: 2)) func callMovesToNewAddress() throws {
        let scene = try PBXScene(.freeswitch)
        let alice = try scene.phone("101", .verto, address: "any")
        try alice.ask("dial", ["target": .string(PBXSetup.echo)])
        try alice.wait(for: "callAnswered")
        try scene.hosts.readdressFirst()
        try alice.wait(for: "callReconnected", upTo: .seconds(20))
        Conversation(echoOf: (alice.mouth, alice.ear, scene.workplace.alice)).expectUnderstood()
        try alice.ask("hangup")
        try alice.wait(for: "callEnded")
        scene.finish()
    }
}
