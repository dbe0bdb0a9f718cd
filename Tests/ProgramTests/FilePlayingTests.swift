import Bench
import Foundation
import Rig
import HostStalls
import Testing

/// Files played into calls by the whole program: requested on the command line, reported as events, read from the
/// configured folder.
@Suite(.serialized, .stallsForgiven) struct FilePlayingTests {
    private func ctl(_ words: String..., of pair: PhonePair) throws -> Command {
        try Command(["ctl"] + words + ["--socket", pair.alice.folder.socket], in: pair.workplace)
    }

    @Test(.limit(minutesEachTime: 2)) func playbackIsRequestedAndEnds() throws {
        let pair = try PhonePair { $0.more = "calls:\n  playing: { folder: sounds }" }
        let sounds = pair.alice.folder.path + "/sounds"
        try FileManager.default.createDirectory(atPath: sounds, withIntermediateDirectories: true)
        try WaveFile(samples: [Int16](repeating: 500, count: 5 * WaveFile.rate)).write(to: sounds + "/five.wav")
        try WaveFile(samples: [Int16](repeating: 500, count: WaveFile.rate / 2)).write(to: sounds + "/half.wav")
        try pair.establish()
        let started = try ctl("play", "five.wav", of: pair)
        #expect(started.exit == .status(0), "\(started)")
        #expect(try pair.alice.wait(for: "playbackStarted").fields["file"] == "five.wav")
        #expect(try pair.alice.ask("getSnapshot")["playback"]?["call"] == "out-1")
        #expect(try ctl("status", of: pair).output.contains("playing five.wav into out-1"))
        let stopped = try ctl("play", "off", of: pair)
        #expect(stopped.exit == .status(0), "\(stopped)")
        #expect(try pair.alice.wait(for: "playbackEnded").fields["reason"] == "stopped")
        #expect(try ctl("play", "half.wav", of: pair).exit == .status(0))
        let end = try pair.alice.wait(for: "playbackEnded", where: { $0.fields["file"] == "half.wav" }).fields
        #expect(end["reason"] == "finished")
        let refused = try ctl("play", "../alice.yaml", of: pair)
        #expect(refused.failed && refused.output.contains("not a name below the folder"), "\(refused)")
        let other = try Command(["ctl", "play", "a.wav", "--socket", pair.bob.folder.socket], in: pair.workplace)
        #expect(other.failed && other.output.contains("not configured for it"), "\(other)")
    }
}
