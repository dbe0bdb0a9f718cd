import Rig
import Testing

/// Calls with Debian's linphonec, both ways: Opus, mandatory SRTP by SDES, voice checked at both ears.
@Suite(
    .serialized,
    .enabled(
        if: HostPair.isPossible && Linphone.isInstalled, "needs root, iproute2 and linphone-cli (Scripts/setup test)")
)
struct LinphoneTests {
    private let ours: HostedPhone
    private let peer: Linphone

    init() throws {
        ours = try HostedPhone()
        peer = try Linphone(
            folder: ours.workplace.path + "/linphone", host: ours.hosts.second,
            sound: try ours.workplace.soundCard("peer"))
    }

    private func establish() throws {
        try ours.dial()
        try ours.phone.wait(for: "callRinging")
        peer.console.type("answer")
        try ours.phone.wait(for: "callAnswered")
        try peer.console.waitFor("Media streams established")
    }

    @Test(.timeLimit(.minutes(2))) func weCallLinphone() throws {
        try establish()
        ours.converse(mouth: peer.mouth, ear: peer.ear)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        try peer.console.waitFor("ended")
        ours.finish()
    }

    @Test(.timeLimit(.minutes(2))) func linphoneCallsUs() throws {
        peer.console.type("call \(ours.address)")
        try ours.lift()
        try ours.phone.wait(for: "callAnswered")
        try peer.console.waitFor("Media streams established")
        ours.converse(mouth: peer.mouth, ear: peer.ear)
        peer.console.type("terminate")
        try ours.expectEnd("hungUpThere")
        ours.finish()
    }

    @Test(.timeLimit(.minutes(2))) func bothHold() throws {
        try establish()
        try ours.phone.ask("hold")
        try peer.console.waitFor("has been paused by")
        try ours.phone.ask("resume")
        try ours.phone.wait(for: "callResumed")
        try peer.console.waitFor("Media streams established")
        peer.console.type("pause")
        try ours.phone.wait(for: "callHeld") { $0.fields["summary"]?["heldThere"] == true }
        try peer.console.waitFor("is now paused")
        peer.console.type("resume")
        try ours.phone.wait(for: "callResumed") { $0.fields["summary"]?["heldThere"] == false }
        ours.converse(mouth: peer.mouth, ear: peer.ear)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        ours.finish()
    }

    @Test(.timeLimit(.minutes(2))) func digitsBothWays() throws {
        try establish()
        try ours.phone.ask("sendDTMF", ["digits": "5#"])
        for digit in ["5", "#"] { try peer.console.waitFor("Receiving tone \(digit)") }
        for digit in ["7", "*"] {
            peer.console.type(digit)
            #expect(try ours.phone.wait(for: "dtmfReceived").fields["digit"]?.string == digit)
        }
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        ours.finish()
    }
}
