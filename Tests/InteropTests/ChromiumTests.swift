import Bench
import HostStalls
import Rig
import Testing

/// Calls with a browser: WebRTC's own ICE, DTLS-SRTP, Opus and jitter buffer, end to end, voice judged at both ends.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: Chromium.isPossible,
        "needs root, iproute2, chromium and Playwright (Scripts/setup browser, Scripts/browser)"))
struct ChromiumTests {
    /// A page without the microphone reveals no address of its machine. Its connectivity checks do.
    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases([true], others: [false]))
    func phoneCallsBrowser(hasMicrophone: Bool) throws {
        let ours = try HostedPhone(protection: "dtls", ice: "always")
        let browser = try browser(ours, hasMicrophone: hasMicrophone)
        try ours.dial()
        let told = try browser.answer()
        #expect(told.answer.contains(".local ") == !hasMicrophone)
        _ = try ours.answered()
        try browser.expectUnderstood(with: ours.phone, in: ours.workplace)
        let figures = try browser.figures()
        #expect(figures["connection"] == "connected" && figures["dtls"] == "connected", "\(figures)")
        #expect(try ours.phone.protection() == "dtls")

        try ours.phone.ask("hold")
        try ours.phone.wait(for: "callHeld")
        #expect(try browser.answered().offer.contains("a=sendonly"))
        try ours.phone.ask("resume")
        try ours.phone.wait(for: "callResumed")
        try browser.expectUnderstood(with: ours.phone, in: ours.workplace)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        try browser.waitForEnd()
        ours.finish()
        #expect(browser.quit() == .status(0))
    }

    /// Accounts answer ICE by default.
    @Test(.limit(minutesEachTime: 2), .wholeMatrixOnly) func browserCallsPhone() throws {
        let ours = try HostedPhone(protection: "dtls")
        let browser = try browser(ours)
        try browser.call()
        try ours.lift()
        try ours.phone.wait(for: "callAnswered")
        #expect(try browser.answered().answer.contains("a=fingerprint:sha-256"))
        try browser.expectUnderstood(with: ours.phone, in: ours.workplace)
        try browser.hangUp()
        try ours.expectEnd("hungUpThere")
        ours.finish()
        #expect(browser.quit() == .status(0))
    }

    /// A page of a Verto server, with the media at the server or bypassing it.
    @Test(
        .enabled(if: VertoServer.isPossible, "needs aiortc (Scripts/webrtc)"), .limit(minutesEachTime: 2),
        arguments: Matrix.cases([["--bypass-media"]], others: [[]]))
    func phoneCallsBrowserThroughServer(way: [String]) throws {
        let scene = try VertoScene(dialect: "freeswitch", more: way)
        let phone = try scene.phone("101", on: scene.hosts.first)
        let browser = try Chromium(
            folder: scene.workplace.path + "/browser", hosts: scene.hosts, user: "102", at: scene.server)
        try phone.ask("dial", ["target": "102"])
        try browser.answer()
        try phone.wait(for: "callAnswered")
        try browser.expectUnderstood(with: phone, in: scene.workplace, isTranscoded: way.isEmpty)
        let figures = try browser.figures()
        #expect(figures["connection"] == "connected" && figures["dtls"] == "connected", "\(figures)")
        #expect(try phone.protection() == "dtls")
        try phone.ask("hangup")
        try phone.wait(for: "callEnded")
        try browser.waitForEnd()
        #expect(scene.server.events("fault").isEmpty)
        #expect(phone.process.stop().exit == .status(0) && browser.quit() == .status(0))
    }

    private func browser(_ ours: HostedPhone, hasMicrophone: Bool = true) throws -> Chromium {
        try Chromium(
            folder: ours.workplace.path + "/browser", hosts: ours.hosts, hasMicrophone: hasMicrophone)
    }
}
