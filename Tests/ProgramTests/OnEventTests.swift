import Bench
import Control
import Foundation
import HostStalls
import JSON
import Rig
import Testing
import YAML
import offhook

/// Programs that a running phone starts on events.
@Suite(.serialized, .stallsForgiven) struct OnEventTests {
    @Test(.limit(minutesEachTime: 2)) func programGetsCallEventAndNoOtherAccess() throws {
        let output = NSTemporaryDirectory() + "oh-event-\(UUID().uuidString.prefix(8))"
        defer { for name in ["", ".fd", ".env"] { try? FileManager.default.removeItem(atPath: output + name) } }
        let script = "cat >> \(output); ls -l /proc/self/fd > \(output).fd; env > \(output).env; echo done; exit 3"
        let pair = try PhonePair {
            $0.more = """
                on_event:
                  - events: [callStarted, callEnded]
                    run: [/bin/sh, -c, "\(script)"]
                    timeout: 10 s
                """
        }
        try pair.alice.ask("dial", ["target": "102"])
        try pair.bob.wait(for: "incomingCall")
        try pair.bob.ask("decline")
        try pair.alice.wait(for: "callEnded")
        let events = try waitForLines(2, in: output).map { try JSONValue(parsing: $0) }
        #expect(Set(events.map { $0["name"]?.string }) == ["callStarted", "callEnded"])
        #expect(events.allSatisfy { $0["summary"]?["number"] == "102" }, "\(events)")
        // Its output and its failure are in the log. Both have ended then, so their files are complete.
        let log = try waitForLines(2, in: pair.alice.folder.log) { $0.contains("/bin/sh ended with status 3") }
        #expect(log.contains { $0.contains("on_event: /bin/sh: done") }, "\(log)")
        let descriptors = try String(contentsOfFile: output + ".fd", encoding: .utf8)
        #expect(!descriptors.contains("socket:") && !descriptors.contains("vault"), "\(descriptors)")
        // Its three standard descriptors, and the folder that `ls` reads.
        #expect(descriptors.split(separator: "\n").count(where: { $0.contains(" -> ") }) == 4, "\(descriptors)")
        let variables = try String(contentsOfFile: output + ".env", encoding: .utf8)
        #expect(variables.contains("OFFHOOK_EVENT=call") && !variables.contains("ALSA_CONFIG_PATH"), "\(variables)")
        let page = try pair.alice.ask("getMetrics")["text"]?.string ?? ""
        #expect(page.contains("offhook_programs_started_total 2\n"), "\(page)")
        #expect(pair.alice.process.stop().exit == .status(0))
    }

    @Test(arguments: [
        ("- { events: [callEnded], run: [lamp] }", "must be an absolute path"),
        ("- { events: [noSuchEvent], run: [/bin/true] }", "the name of an event"),
        ("- { events: [clientReady], run: [/bin/true] }", "the name of an event"),
        ("- { events: [], run: [/bin/true] }", "a list of"), ("- { events: [callEnded], run: [] }", "a list of"),
        ("- { events: [callEnded], run: [/bin/true], timeout: 2 h }", "a duration"),
        ("- { events: [callEnded], run: [/bin/true], shell: true }", "shell"),
    ])
    func invalidRuleStopsStart(rule: String, words: String) throws {
        let path = NSTemporaryDirectory() + "offhook-rule-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try TextFile.write(
            "board: b.yaml\nsound: {handset: {capture: null, playback: null}}\non_event:\n  \(rule)\n"
                .replacingOccurrences(of: ": null", with: ": a"), to: path)
        #expect("\(rule)") { try Settings(path: path) } throws: { "\($0)".contains(words) }
    }

    /// Lines of a file, once it has so many of the wanted ones.
    private func waitForLines(
        _ count: Int, in path: String, where isWanted: (String) -> Bool = { _ in true }
    ) throws -> [String] {
        let end = ContinuousClock.now + .seconds(15)
        while true {
            let lines = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(
                String.init)
            if lines.count(where: isWanted) >= count { return lines }
            try #require(ContinuousClock.now < end, "\(path): \(lines.suffix(5))")
            usleep(5_000)
        }
    }
}
