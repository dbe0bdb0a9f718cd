import Bench
import HostStalls
import Rig
import Testing

/// Calls with Debian's baresip, both ways, with DTLS-SRTP, voice checked at both ears.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: HostPair.isPossible && Baresip.isInstalled, "needs root, iproute2 and baresip (Scripts/setup test)"))
struct BaresipHandshakeTests {
    private func expectHandshake(_ phone: RigPhone) throws {
        let calls = try phone.ask("getSnapshot")["calls"]?.array
        #expect(calls?.first?["protection"]?.string == "dtls")
    }

    /// After hold and resume it continues with the same keys.
    @Test(.limit(minutesEachTime: 2)) func phoneCallsBaresip() throws {
        let ours = try HostedPhone(protection: "dtls")
        let peer = try ours.baresip("dtls_srtp")
        try ours.call(peer)
        try expectHandshake(ours.phone)
        ours.converse(with: peer)
        try ours.phone.ask("hold")
        try ours.phone.ask("resume")
        try ours.phone.wait(for: "callResumed")
        ours.converse(with: peer)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        ours.finish()
        _ = peer.process.stop()
    }

    /// An account with any protection accepts a DTLS handshake.
    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases(["mandatory"], others: ["dtls", "offered"]))
    func baresipCallsPhone(protection: String) throws {
        let ours = try HostedPhone(protection: protection)
        let peer = try ours.baresip("dtls_srtp")
        try peer.command("dial", ours.address)
        try ours.lift()
        try ours.phone.wait(for: "callAnswered")
        try expectHandshake(ours.phone)
        ours.converse(with: peer)
        try peer.command("hold")
        try ours.phone.wait(for: "callHeld") { $0.fields["summary"]?["heldThere"] == true }
        try peer.command("resume")
        try ours.phone.wait(for: "callResumed") { $0.fields["summary"]?["heldThere"] == false }
        ours.converse(with: peer)
        try peer.command("hangup")
        try ours.expectEnd("hungUpThere")
        ours.finish()
        _ = peer.process.stop()
    }

    /// SDES keys are not enough for an account that requires DTLS.
    @Test(.limit(minutesEachTime: 2)) func baresipWithSDESIsRefused() throws {
        let ours = try HostedPhone(protection: "dtls")
        let peer = try ours.baresip("srtp-mand")
        try peer.command("dial", ours.address)
        let refused = try ours.phone.wait(for: "callRefused")
        #expect(refused.fields["reason"]?.string == "noProtection")
        try peer.waitFor("CALL_CLOSED")
        ours.finish()
        _ = peer.process.stop()
    }
}
