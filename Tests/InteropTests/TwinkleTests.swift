import Rig
import HostStalls
import Testing

/// Calls with Debian's Twinkle, both ways: G.711 in clear. If it has GSM only, both ends reject the call and report
/// it.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: HostPair.isPossible && Twinkle.isInstalled, "needs root, iproute2 and twinkle-console (Scripts/setup test)")
)
struct TwinkleTests {
    private let ours: HostedPhone

    init() throws { ours = try HostedPhone(protection: "off") }

    private func peer(_ codecs: String) throws -> Twinkle {
        try Twinkle(
            folder: ours.workplace.path + "/twinkle", host: ours.hosts.second,
            sound: try ours.workplace.soundCard("peer"), codecs: codecs)
    }

    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases(["g711a"], others: ["g711u"]))
    func phoneCallsTwinkle(codec: String) throws {
        let peer = try peer(codec)
        try ours.dial()
        try ours.phone.wait(for: "callRinging")
        peer.console.type("answer")
        try ours.phone.wait(for: "callAnswered")
        ours.converse(with: peer)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        ours.finish()
    }

    @Test(.limit(minutesEachTime: 2)) func twinkleCallsPhone() throws {
        let peer = try peer("gsm,g711a,g711u")
        peer.console.type("call \(ours.address)")
        try ours.lift()
        try ours.phone.wait(for: "callAnswered")
        ours.converse(with: peer)
        peer.console.type("bye")
        try ours.expectEnd("hungUpThere")
        ours.finish()
    }

    @Test(.limit(minutesEachTime: 2)) func bothEndsHold() throws {
        let peer = try peer("g711a")
        try ours.dial()
        try peer.answer()
        try ours.phone.wait(for: "callAnswered")
        for (request, event) in [("hold", "callHeld"), ("resume", "callResumed")] {
            try ours.phone.ask(request)
            try ours.phone.wait(for: event)
        }
        // It accepts no command for a call before the last change of it is settled.
        ours.converse(with: peer)
        peer.console.type("hold")
        try ours.phone.wait(for: "callHeld") { $0.fields["summary"]?["heldThere"] == true }
        try peer.console.waitFor("re-INVITE successful")
        peer.console.type("retrieve")
        try ours.phone.wait(for: "callResumed") { $0.fields["summary"]?["heldThere"] == false }
        ours.converse(with: peer)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        ours.finish()
    }

    @Test(.limit(minutesEachTime: 1)) func callWithoutCommonCodecIsRefused() throws {
        let peer = try peer("gsm")
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
