import Bench
import Foundation
import Rig
import Stalls
import Testing

/// Calls into files, by the whole program: asked for on the command line, told as events, written where it was configured.
@Suite(.serialized, .stallsForgiven) struct CallRecordingTests {
    private func ctl(_ words: String..., of pair: PhonePair) throws -> Command {
        try Command(["ctl"] + words + ["--socket", pair.alice.folder.socket], in: pair.workplace)
    }

    @Test(.limit(minutesEachTime: 2), arguments: ["opus", "wav"])
    func isAskedForAndIsThere(format: String) throws {
        let pair = try PhonePair { $0.more = "calls:\n  recording: { folder: calls, format: \(format) }" }
        try pair.establish()
        let started = try ctl("record", "on", of: pair)
        #expect(started.exit == .status(0), "\(started)")
        let file = try #require(try pair.alice.wait(for: "recordingStarted").fields["file"]?.string)
        #expect(file.hasPrefix(pair.alice.folder.path + "/calls/") && file.hasSuffix("-out-1.\(format)"))
        #expect(try pair.alice.ask("getSnapshot")["recording"] == "out-1")
        #expect(try ctl("status", of: pair).output.contains("out-1 is recorded"))
        let again = try ctl("record", "on", of: pair)
        #expect(again.failed && again.output.contains("already under way"), "\(again)")
        Thread.sleep(forTimeInterval: 1)
        let stopped = try ctl("record", "off", of: pair)
        #expect(stopped.exit == .status(0), "\(stopped)")
        let end = try pair.alice.wait(for: "recordingEnded").fields
        #expect(end["call"] == "out-1" && end["reason"] == "stopped")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(bytes.starts(with: Data((format == "wav" ? "RIFF" : "OggS").utf8)) && bytes.count > 1_000)
    }

    @Test(.limit(minutesEachTime: 2)) func whatCannotBeIsSaid() throws {
        let pair = try PhonePair { $0.more = "calls:\n  recording: { folder: /proc/nowhere/calls }" }
        try pair.establish()
        let refused = try ctl("record", "on", of: pair)
        #expect(refused.failed && refused.output.contains("/proc/nowhere/calls cannot be made"), "\(refused)")
        #expect(try pair.alice.wait(for: "error").fields["message"]?.string?.contains("/proc/nowhere/calls") == true)
        let other = try Command(["ctl", "record", "on", "--socket", pair.bob.folder.socket], in: pair.workplace)
        #expect(other.failed && other.output.contains("not made for it"), "\(other)")
    }
}
