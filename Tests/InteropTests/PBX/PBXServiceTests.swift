import Bench
import Control
import HostStalls
import JSON
import Rig
import Testing

/// PBX services beyond calls: transfer, parking, pickup, lamps, messages.
@Suite(.serialized, .stallsForgiven, .enabled(if: PBX.isGiven, PBX.need))
struct PBXServiceTests {
    private func trio(_ pbx: PBX, more: String = "") throws -> (PBXScene, RigPhone, RigPhone, RigPhone) {
        let scene = try PBXScene(pbx)
        return (
            scene, try scene.phone("101", more: more), try scene.phone("102", more: more),
            try scene.phone("103", more: more)
        )
    }

    /// Alice transfers Bob to Carol. Both then see the other's identity.
    @Test(.limit(minutesEachTime: 2), arguments: PBX.given) func blindTransferNamesNewParty(_ pbx: PBX) throws {
        let (scene, alice, bob, carol) = try trio(pbx)
        try scene.connect(alice, bob, at: "102")
        try alice.ask("transfer", ["to": "103"])
        try carol.wait(for: "incomingCall")
        try carol.ask("answer")
        try carol.wait(for: "callAnswered")
        #expect(try alice.wait(for: "callEnded").fields["reason"] == "transferred")
        scene.converse(bob, carol)
        try scene.expect(bob, showsNumber: "103", name: pbx.tellsNamesAfterTransfer ? PBXSetup.name(of: "103") : nil)
        try scene.expect(carol, showsNumber: "102", name: pbx.tellsNamesAfterTransfer ? PBXSetup.name(of: "102") : nil)
        try bob.ask("hangup")
        try carol.wait(for: "callEnded")
        scene.finish()
    }

    /// Alice asks Carol first, and then connects Bob with her.
    @Test(.limit(minutesEachTime: 2), arguments: PBX.given) func attendedTransferNamesNewParty(_ pbx: PBX) throws {
        let (scene, alice, bob, carol) = try trio(pbx)
        let (_, held) = try scene.connect(bob, alice, at: "101")
        try alice.ask("dial", ["target": "103"])
        try carol.wait(for: "incomingCall")
        try carol.ask("answer")
        try carol.wait(for: "callAnswered")
        let consultation = try #require(
            try alice.wait(for: "callAnswered") { $0.fields["call"] != held }.fields["call"])
        try alice.ask("transfer", ["call": held, "toCall": consultation])
        for _ in 0..<2 { #expect(try alice.wait(for: "callEnded").fields["reason"] == "transferred") }
        scene.converse(bob, carol)
        try scene.expect(bob, showsNumber: "103", name: pbx.tellsNamesAfterTransfer ? PBXSetup.name(of: "103") : nil)
        try scene.expect(carol, showsNumber: "102", name: pbx.tellsNamesAfterTransfer ? PBXSetup.name(of: "102") : nil)
        try carol.ask("hangup")
        try bob.wait(for: "callEnded")
        scene.finish()
    }

    /// Alice connects Bob with Carol while Carol's telephone rings.
    @Test(.limit(minutesEachTime: 2), arguments: PBX.given) func transferToRingingTelephoneWorks(_ pbx: PBX) throws {
        let (scene, alice, bob, carol) = try trio(pbx)
        let (_, held) = try scene.connect(bob, alice, at: "101")
        try alice.ask("dial", ["target": "103"])
        try carol.wait(for: "incomingCall")
        let consultation = try #require(try alice.wait(for: "callRinging").fields["call"])
        try alice.ask("transfer", ["call": held, "toCall": consultation])
        // The consultation ends at once. The other call is Alice's until Carol has answered Bob.
        try alice.wait(for: "callEnded")
        try carol.wait(for: "callEnded")
        try carol.wait(for: "incomingCall")
        try carol.ask("answer")
        try carol.wait(for: "callAnswered")
        #expect(try alice.wait(for: "callEnded").fields["reason"] == "transferred")
        scene.converse(bob, carol)
        try bob.ask("hangup")
        try carol.wait(for: "callEnded")
        scene.finish()
    }

    /// The ringing party's name is there before the answer, and the answering party's after it.
    @Test(.limit(minutesEachTime: 2), arguments: PBX.given) func callerSeesConnectedParty(_ pbx: PBX) throws {
        let scene = try PBXScene(pbx)
        let (alice, bob) = (try scene.phone("101"), try scene.phone("102"))
        try scene.connect(alice, bob, at: "102")
        try scene.expect(alice, showsNumber: "102", name: PBXSetup.name(of: "102"))
        try scene.expect(bob, showsNumber: "101", name: PBXSetup.name(of: "101"))
        try alice.ask("hangup")
        try bob.wait(for: "callEnded")
        scene.finish()
    }

    @Test(.limit(minutesEachTime: 2), arguments: PBX.given) func callIsParkedAndRetrieved(_ pbx: PBX) throws {
        let (scene, alice, bob, carol) = try trio(pbx)
        try scene.connect(alice, bob, at: "102")
        try bob.ask("park", ["orbit": .string(PBXSetup.parking)])
        try bob.wait(for: "callEnded")
        try carol.ask("dial", ["target": .string(PBXSetup.firstOrbit)])
        try carol.wait(for: "callAnswered")
        scene.converse(alice, carol)
        try carol.ask("hangup")
        try alice.wait(for: "callEnded")
        scene.finish()
    }

    /// Carol's lamp for Bob shows that his telephone rings, is in use, and is free. She picks up his call.
    @Test(.limit(minutesEachTime: 2), arguments: PBX.given) func watchedTelephoneRingsAndIsPickedUp(_ pbx: PBX) throws {
        let scene = try PBXScene(pbx)
        let (alice, bob) = (try scene.phone("101"), try scene.phone("102"))
        let carol = try scene.phone(
            "103",
            more:
                "calls: {speed_dials: {1: {targets: [\"102\"], watch: phone}}, pickup_codes: {desk: \"\(PBXSetup.pickup)\"}}\n"
        )
        try scene.expectLamp(carol, "off")
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try scene.expectLamp(carol, "fastBlink")
        try carol.ask("pickup", ["target": "102"])
        try carol.wait(for: "callAnswered")
        try alice.wait(for: "callAnswered")
        scene.converse(alice, carol)
        try scene.expectLamp(carol, "off")
        try carol.ask("hangup")
        try alice.wait(for: "callEnded")

        try scene.connect(alice, bob, at: "102")
        try scene.expectLamp(carol, "on")
        try bob.ask("hangup")
        try alice.wait(for: "callEnded")
        try scene.expectLamp(carol, "off")
        scene.finish()
    }

    @Test(.limit(minutesEachTime: 2), arguments: PBX.given) func voiceMessageIsReported(_ pbx: PBX) throws {
        let scene = try PBXScene(pbx)
        let alice = try scene.phone("101")
        try scene.server.leaveMessage(for: "101")
        let told = try alice.wait(for: "messagesWaiting", upTo: .seconds(10)) { $0.fields["count"] != 0 }
        #expect(told.fields["count"] == 1)
        scene.finish()
    }
}
