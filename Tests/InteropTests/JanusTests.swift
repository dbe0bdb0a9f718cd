import Bench
import Foundation
import HostStalls
import JSON
import Rig
import Testing

/// A call with Debian's janus: ICE by libnice, DTLS-SRTP by a media server with an echo.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: Janus.isPossible, "needs root, iproute2 and janus (Scripts/setup test)"))
struct JanusTests {
    @Test(.limit(minutesEachTime: 2), .wholeMatrixOnly) func echoReturnsSpeech() throws {
        let ours = try HostedPhone(protection: "dtls", ice: "always")
        let janus = try Janus(folder: ours.workplace.path + "/janus", hosts: ours.hosts)
        try ours.dial()
        #expect(try janus.answered().contains("a=fingerprint:sha-256"))
        _ = try ours.answered()
        #expect(try ours.phone.ask("getSnapshot")["calls"]?.array?.first?["protection"] == "dtls")
        try expectEcho(ours)
        try ours.phone.ask("hold")
        try ours.phone.wait(for: "callHeld")
        try ours.phone.ask("resume")
        try ours.phone.wait(for: "callResumed")
        try expectEcho(ours)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        try janus.waitForEnd()
        ours.finish()
        #expect(janus.quit() == .status(0))
    }

    /// Repeats unclear speech, as the machine may have stalled.
    private func expectEcho(_ ours: HostedPhone, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let said = ours.workplace.alice.samples
        var echo: Similarity?
        for _ in 0..<3 where (echo?.segmentalRatioDecibels ?? 0) < Similarity.understood {
            let start = Wire.now
            ours.phone.mouth.say(said, at: start)
            let longest = said.count + 3 * Wire.rate / 2
            Wire.sleep(untilFrame: start + longest)
            echo = Similarity(said: said, heard: ours.phone.ear.heard(start..<start + longest), longestDelay: 1_000)
        }
        print("phone to janus and back: \(echo.map { "\($0)" } ?? "not heard")")
        #expect((echo?.segmentalRatioDecibels ?? 0) >= Similarity.understood, sourceLocation: sourceLocation)
    }
}

/// Debian's janus as a WebRTC end (`Tests/Servers/janus_echo.py`). The test provides its SIP, and it answers every
/// call.
final class Janus {
    static var isPossible: Bool {
        HostPair.isPossible && FileManager.default.isExecutableFile(atPath: "/usr/bin/janus")
    }

    private let console: Console

    init(folder: String, hosts: HostPair) throws {
        try TextFile.makeFolder(folder)
        console = try Console(
            [
                "/usr/bin/python3", "-B", Workplace.root + "/Tests/Servers/janus_echo.py", hosts.second.address,
                hosts.first.address, folder,
            ], folder: folder, host: hosts.second, environment: [:])
        try console.waitFor(#""event": "ready""#, upTo: .seconds(20))
    }

    /// - Returns: Its answer.
    func answered() throws -> String {
        let line = try console.line(with: #""event": "answered""#)
        return try JSONValue(parsing: Array(line.utf8))["answer"]?.string ?? ""
    }

    func waitForEnd() throws { try console.waitFor(#""event": "ended""#) }

    /// Ends it, and janus.
    func quit() -> ChildProcess.Exit? {
        console.type("quit")
        return console.process.wait(upTo: .seconds(15))
    }
}
