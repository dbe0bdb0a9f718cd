import Bench
import Foundation
import Rig
import HostStalls
import Testing

/// Calls recorded by the whole program: requested on the command line, reported as events, written to the configured
/// folder.
@Suite(.serialized, .stallsForgiven) struct CallRecordingTests {
    private func ctl(_ words: String..., of pair: PhonePair) throws -> Command {
        try Command(["ctl"] + words + ["--socket", pair.alice.folder.socket], in: pair.workplace)
    }

    /// Sound is written as it comes, so many bytes at a time.
    private func waitUntilLonger(than bytes: Int, _ file: String) throws {
        let end = ContinuousClock.now + .seconds(20)
        while try Data(contentsOf: URL(fileURLWithPath: file)).count <= bytes, ContinuousClock.now < end {
            Thread.sleep(forTimeInterval: 0.05)
        }
    }

    /// Without the vault's key a thief of the disk hears nothing; with it, every complete part.
    @Test(.limit(minutesEachTime: 2), arguments: ["opus", "wav"])
    func recordingIsSealedByVaultKey(format: String) throws {
        let pair = try PhonePair { $0.more = "calls:\n  recording: { folder: calls, format: \(format) }" }
        try pair.establish()
        #expect(try ctl("record", "on", of: pair).exit == .status(0))
        let file = try #require(try pair.alice.wait(for: "recordingStarted").fields["file"]?.string)
        #expect(file.hasSuffix("-out-1.\(format).sealed"))
        // More than the sound of one second, which is written at once.
        try waitUntilLonger(than: 12_000, file)
        let underWay = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(try ctl("record", "off", of: pair).exit == .status(0))
        try pair.alice.wait(for: "recordingEnded")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        let sign = Data((format == "wav" ? "RIFF" : "OggS").utf8)
        #expect(bytes.range(of: sign) == nil && underWay.count > 12_000 && bytes.starts(with: underWay))

        func recordings(_ words: String..., key: String = "vault.key") throws -> Command {
            let folder = pair.alice.folder.path
            let configuration = try String(contentsOfFile: pair.alice.folder.configuration, encoding: .utf8)
            try TextFile.write(
                configuration.replacingOccurrences(of: "key: vault.key", with: "key: \(key)"), to: folder + "/read.yaml"
            )
            return try Command(["recordings"] + words + ["--config", folder + "/read.yaml"], in: pair.workplace)
        }
        let name = (file as NSString).lastPathComponent
        #expect(try recordings("list").output.contains("\(name)  "))
        let clear = pair.workplace.path + "/clear." + format
        let exported = try recordings("export", name, "--output", clear)
        #expect(exported.exit == .status(0), "\(exported)")
        let sound = try Data(contentsOf: URL(fileURLWithPath: clear))
        #expect(sound.starts(with: sign) && sound.count > 10_000)
        if format == "wav" {
            let length = sound[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
            #expect(length == sound.count - 8)
        }
        #expect(try recordings("export", name, "--output", clear).failed, "nothing is written over")

        let torn = file.replacingOccurrences(of: "out-1", with: "torn")
        // A phone that crashes while writing leaves a part of its last chunk.
        try bytes.dropLast().write(to: URL(fileURLWithPath: torn))
        let rest = try recordings("export", torn, "--output", clear + ".torn")
        #expect(rest.exit == .status(0) && rest.output.contains("ends early"), "\(rest)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: clear + ".torn")).count > 1_000)

        var changed = bytes
        changed[changed.count / 2] ^= 1
        try changed.write(to: URL(fileURLWithPath: torn))
        let list = try recordings("list")
        #expect(list.failed && list.output.contains("another program changed it"), "\(list)")
        #expect(try recordings("export", torn, "--output", clear + ".changed").failed)
        #expect(try Data(contentsOf: URL(fileURLWithPath: clear + ".changed")).starts(with: sign))
        #expect(try recordings("list", key: "missing.key").failed)
    }

    @Test(.limit(minutesEachTime: 2), arguments: ["opus", "wav"])
    func recordingIsRequestedAndWritten(format: String) throws {
        let pair = try PhonePair {
            $0.more = "calls:\n  recording: { folder: calls, format: \(format), sealed: false }"
        }
        try pair.establish()
        let started = try ctl("record", "on", of: pair)
        #expect(started.exit == .status(0), "\(started)")
        let file = try #require(try pair.alice.wait(for: "recordingStarted").fields["file"]?.string)
        #expect(file.hasPrefix(pair.alice.folder.path + "/calls/") && file.hasSuffix("-out-1.\(format)"))
        #expect(try pair.alice.ask("getSnapshot")["recording"] == "out-1")
        #expect(try ctl("status", of: pair).output.contains("recording out-1"))
        let again = try ctl("record", "on", of: pair)
        #expect(again.failed && again.output.contains("already in progress"), "\(again)")
        try waitUntilLonger(than: 1_000, file)
        let stopped = try ctl("record", "off", of: pair)
        #expect(stopped.exit == .status(0), "\(stopped)")
        let end = try pair.alice.wait(for: "recordingEnded").fields
        #expect(end["call"] == "out-1" && end["reason"] == "stopped")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(bytes.starts(with: Data((format == "wav" ? "RIFF" : "OggS").utf8)) && bytes.count > 1_000)
    }

    @Test(.limit(minutesEachTime: 2)) func impossibleRecordingIsReported() throws {
        let pair = try PhonePair { $0.more = "calls:\n  recording: { folder: /proc/nowhere/calls }" }
        try pair.establish()
        let refused = try ctl("record", "on", of: pair)
        #expect(refused.failed && refused.output.contains("/proc/nowhere/calls cannot be made"), "\(refused)")
        #expect(try pair.alice.wait(for: "error").fields["message"]?.string?.contains("/proc/nowhere/calls") == true)
        let other = try Command(["ctl", "record", "on", "--socket", pair.bob.folder.socket], in: pair.workplace)
        #expect(other.failed && other.output.contains("not configured for it"), "\(other)")
    }
}
