import Rig
import HostStalls
import Testing

/// Calls with Debian's linphonec, both ways: Opus, mandatory SRTP by SDES, voice checked at both ears.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: HostPair.isPossible && Linphone.isInstalled, "needs root, iproute2 and linphone-cli (Scripts/setup test)")
)
struct LinphoneTests {
    private let ours: HostedPhone
    private let peer: Linphone

    init() throws {
        ours = try HostedPhone()
        peer = try ours.peer()
    }

    @Test(.limit(minutesEachTime: 2)) func phoneCallsLinphone() throws {
        try ours.call(peer)
        ours.converse(with: peer)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        try peer.waitForEnd()
        ours.finish()
    }

    @Test(.limit(minutesEachTime: 2)) func linphoneCallsPhone() throws {
        peer.console.type("call \(ours.address)")
        try ours.lift()
        try ours.phone.wait(for: "callAnswered")
        try peer.waitForVoice()
        ours.converse(with: peer)
        peer.hangUp()
        try ours.expectEnd("hungUpThere")
        ours.finish()
    }

    @Test(.limit(minutesEachTime: 2), .wholeMatrixOnly) func bothEndsHold() throws {
        try ours.call(peer)
        try ours.phone.ask("hold")
        try peer.console.waitFor("has been paused by")
        try ours.phone.ask("resume")
        try ours.phone.wait(for: "callResumed")
        try peer.waitForVoice()
        peer.console.type("pause")
        try ours.phone.wait(for: "callHeld") { $0.fields["summary"]?["heldThere"] == true }
        try peer.console.waitFor("is now paused")
        peer.console.type("resume")
        try ours.phone.wait(for: "callResumed") { $0.fields["summary"]?["heldThere"] == false }
        ours.converse(with: peer)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        ours.finish()
    }

    @Test(.limit(minutesEachTime: 2)) func digitsArriveBothWays() throws {
        try ours.call(peer)
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
