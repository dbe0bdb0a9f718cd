import Bench
import HostStalls
import Rig
import Testing

/// Calls with a browser: ICE, DTLS-SRTP, Opus and the jitter buffer of WebRTC itself, end to end, voice judged at both ends.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: Chromium.isPossible,
        "needs root, iproute2, chromium and Playwright (Scripts/setup browser, Scripts/browser)"))
struct ChromiumTests {
    /// A page that may not use the microphone names no address of its machine. Its own checks tell where it is.
    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases([true], others: [false]))
    func weCallABrowser(hasMicrophone: Bool) throws {
        let ours = try HostedPhone(protection: "dtls", ice: "always")
        let browser = try browser(ours, hasMicrophone: hasMicrophone)
        try ours.dial()
        let told = try browser.answer()
        #expect(told.answer.contains(".local ") == !hasMicrophone)
        _ = try ours.answered()
        try expectUnderstood(ours, browser)
        let figures = try browser.figures()
        #expect(figures["connection"] == "connected" && figures["dtls"] == "connected", "\(figures)")
        #expect(try ours.phone.protection() == "dtls")

        try ours.phone.ask("hold")
        try ours.phone.wait(for: "callHeld")
        #expect(try browser.answered().offer.contains("a=sendonly"))
        try ours.phone.ask("resume")
        try ours.phone.wait(for: "callResumed")
        try expectUnderstood(ours, browser)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        try browser.waitForEnd()
        ours.finish()
        #expect(browser.quit() == .status(0))
    }

    /// Accounts answer ICE without being told to.
    @Test(.limit(minutesEachTime: 2), .wholeMatrixOnly) func aBrowserCallsUs() throws {
        let ours = try HostedPhone(protection: "dtls")
        let browser = try browser(ours)
        try browser.call()
        try ours.lift()
        try ours.phone.wait(for: "callAnswered")
        #expect(try browser.answered().answer.contains("a=fingerprint:sha-256"))
        try expectUnderstood(ours, browser)
        try browser.hangUp()
        try ours.expectEnd("hungUpThere")
        ours.finish()
        #expect(browser.quit() == .status(0))
    }

    private func browser(_ ours: HostedPhone, hasMicrophone: Bool = true) throws -> Chromium {
        try Chromium(
            folder: ours.workplace.path + "/browser", hosts: ours.hosts, hasMicrophone: hasMicrophone)
    }

    /// Both speak at the same time; again when they were not understood, as the machine may have stood still.
    private func expectUnderstood(
        _ ours: HostedPhone, _ browser: Chromium, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var (here, there): (Similarity?, Similarity?)
        for _ in 0..<3 where !(Self.isUnderstood(here) && Self.isUnderstood(there)) {
            (here, there) = try converse(ours, browser)
        }
        print("browser to phone: \(here.map { "\($0)" } ?? "not heard")")
        print("phone to browser: \(there.map { "\($0)" } ?? "not heard")")
        #expect(Self.isUnderstood(here), "the browser was not understood", sourceLocation: sourceLocation)
        #expect(Self.isUnderstood(there), "the phone was not understood", sourceLocation: sourceLocation)
    }

    private static func isUnderstood(_ similarity: Similarity?) -> Bool {
        similarity.map { $0.segmentalRatioDecibels >= Similarity.understood } ?? false
    }

    /// - Returns: What was heard of the browser's person at the phone, and of the phone's person in the browser.
    private func converse(_ ours: HostedPhone, _ browser: Chromium) throws -> (Similarity?, Similarity?) {
        let (alice, bob) = (ours.workplace.alice, ours.workplace.bob)
        try browser.record()
        let start = Wire.now
        ours.phone.mouth.say(alice.samples, at: start)
        try browser.say(bob)
        let longest = max(alice.samples.count, bob.samples.count) + 5 * Wire.rate / 2
        Wire.sleep(untilFrame: start + longest)
        let heard = ours.phone.ear.heard(start..<start + longest)
        return (
            // A busy machine takes its time until the browser begins to speak.
            Similarity(said: bob.samples, heard: heard, longestDelay: 2_000),
            Similarity(said: alice.samples, heard: try browser.recorded().samples, longestDelay: 2_000)
        )
    }
}
