import Rig
import Testing

/// Calls with Debian's Twinkle, which has no codec in common with a phone that speaks Opus only: both say so cleanly.
@Suite(
    .serialized,
    .enabled(
        if: HostPair.isPossible && Twinkle.isInstalled, "needs root, iproute2 and twinkle-console (Scripts/setup test)")
)
struct TwinkleTests {
    private let ours: HostedPhone
    private let peer: Twinkle

    init() throws {
        ours = try HostedPhone()
        peer = try Twinkle(
            folder: ours.workplace.path + "/twinkle", host: ours.hosts.second,
            sound: try ours.workplace.soundCard("peer"))
    }

    @Test(.timeLimit(.minutes(1))) func theyRefuseEachOther() throws {
        peer.console.type("call \(ours.address)")
        try peer.console.waitFor("call failed")
        try peer.console.waitFor("488")
        #expect(try ours.phone.ask("getSnapshot")["calls"]?.array?.isEmpty == true)

        try ours.dial()
        let end = try ours.phone.wait(for: "callFailed")
        #expect(end.fields["reason"] == "incompatible")
        #expect(ours.phone.all("incomingCall").isEmpty)
        ours.finish()
    }
}
