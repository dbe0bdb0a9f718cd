import Base
import Bench
import Control
import Foundation
import Rig
import HostStalls
import Testing

/// Calls with Debian's baresip, both ways: Opus, mandatory SRTP by SDES, voice checked at both ears.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: HostPair.isPossible && Baresip.isInstalled, "needs root, iproute2 and baresip (Scripts/setup test)"))
struct BaresipTests {
    private let ours: HostedPhone
    private let peer: Baresip

    init() throws {
        ours = try HostedPhone()
        peer = try ours.peer()
    }

    private func finish() {
        ours.finish()
        _ = peer.process.stop()
    }

    @Test(.limit(minutesEachTime: 2)) func phoneCallsBaresip() throws {
        try ours.call(peer)
        ours.converse(with: peer)
        try ours.phone.ask("hangup")
        try peer.waitForEnd()
        try ours.expectEnd("hungUpHere")
        finish()
    }

    @Test(.limit(minutesEachTime: 2)) func baresipCallsPhone() throws {
        try peer.command("dial", ours.address)
        try ours.lift()
        try ours.phone.wait(for: "callAnswered")
        try peer.waitFor("CALL_ESTABLISHED")
        ours.converse(with: peer)
        try peer.hangUp()
        try ours.expectEnd("hungUpThere")
        finish()
    }

    /// The link is lost at our end, where sending fails, or at the other. After it returns the call is unchanged.
    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases([true], others: [false]))
    func voiceReturnsAfterOutage(isOurs: Bool) throws {
        try ours.call(peer)
        let host = isOurs ? ours.hosts.first : ours.hosts.second
        try ours.hosts.on(host, "link", "set", "wire", "down")
        Thread.sleep(forTimeInterval: 3)
        try ours.hosts.on(host, "link", "set", "wire", "up")
        ours.converse(with: peer)
        try ours.phone.ask("hangup")
        try peer.waitForEnd()
        try ours.expectEnd("hungUpHere")
        finish()
    }

    @Test(.limit(minutesEachTime: 2)) func bothEndsHold() throws {
        try ours.call(peer)
        try ours.phone.ask("hold")
        try ours.phone.ask("resume")
        try ours.phone.wait(for: "callResumed")
        try peer.command("hold")
        try ours.phone.wait(for: "callHeld") { $0.fields["summary"]?["heldThere"] == true }
        try peer.command("resume")
        try ours.phone.wait(for: "callResumed") { $0.fields["summary"]?["heldThere"] == false }
        ours.converse(with: peer)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        finish()
    }

    @Test(.limit(minutesEachTime: 2)) func digitsArriveBothWays() throws {
        try ours.call(peer)
        try ours.phone.ask("sendDTMF", ["digits": "5#"])
        for digit in ["5", "#"] { try peer.waitFor("CALL_DTMF_START", saying: "\"param\":\"\(digit)\"") }
        for digit in ["7", "*"] {
            try peer.command("sndcode", digit)
            #expect(try ours.phone.wait(for: "dtmfReceived").fields["digit"]?.string == digit)
        }
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        finish()
    }
}
