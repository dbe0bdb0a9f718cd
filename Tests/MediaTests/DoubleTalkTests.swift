import Bench
import Foundation
import Media
import Testing

/// Both ends speak at once: the local person's voice at the far end, by PESQ.
@Suite(
    .enabled(if: SpokenWords.canSpeak, "needs espeak-ng and sox (Scripts/setup test)"),
    .enabled(if: Opinion.isThere, "needs PESQ (Scripts/bench.d/pesq)"))
struct DoubleTalkTests {
    /// The local voice and the echo, with the echo's level relative to it in decibels, after so many seconds of the
    /// far end alone.
    @Test(arguments: [(20, 0), (20, -12), (6, 0), (6, -12)])
    func localVoiceSurvivesDoubleTalk(seconds: Int, decibels: Int) throws {
        let words = try SpokenWords.recorded.get()
        let silence = [Int16](repeating: 0, count: seconds * 48_000)
        let said = silence + words.alice
        let played = Array(words.lecture(seconds: seconds + words.alice.count / 48_000 + 1).prefix(said.count))
        let echo = SimulatedRoom(loudness: Float(pow(10, Double(decibels) / 20)), seed: 1).echo(of: played)
        let noise = SimulatedRoom.noise(said.count, deviation: 3, seed: 1)
        let alone = SimulatedRoom.mix(said.map(Float.init), noise)
        let both = SimulatedRoom.mix(said.map(Float.init), noise, echo)
        let nothing = [Int16](repeating: 0, count: said.count)
        let clean = try opinion(of: alone, after: seconds, beside: nothing, words.alice)
        let kept = try opinion(of: both, after: seconds, beside: played, words.alice)
        let raw = try Opinion.of(Array(both.dropFirst(seconds * 48_000)), clean: words.alice)
        print(
            "double talk after \(seconds) s, echo \(decibels) dB: PESQ \(kept), without echo \(clean), uncancelled \(raw)"
        )
        #expect(clean > 4.2, "a single voice is not harmed")
        #expect(kept > raw + 1)
        // The goal is 0.3; docs/dev/performance.md has what is reached. In a known room the figure depends on the
        // speech: 0.32 to 0.33 with espeak-ng 1.51, 0.38 to 0.39 with 1.52. The libspeexdsp 1.2.1 of Debian 12 and of
        // Debian 13 give the same.
        let known = words.synthesizer == "1.51" ? 0.35 : 0.4
        #expect(clean - kept < (seconds < 20 ? 1.7 : known))
    }

    private func opinion(
        of heard: [Int16], after seconds: Int, beside played: [Int16], _ said: [Int16]
    ) throws -> Double {
        var processing = VoiceProcessingSettings()
        processing.cancelsEcho = true
        let run = ProcessorRun(processing)
        let tail = [Int16](repeating: 0, count: 4_800)
        let output = run.clean(heard + tail, beside: played + tail)
        return try Opinion.of(Array(output.dropFirst(seconds * 48_000 + ProcessorRun.delay)), clean: said)
    }
}

/// PESQ, as reported by `Scripts/pesq`.
enum Opinion {
    struct Refused: Error { let log: String }

    static let isThere = (try? run(["--ready"], log: "/dev/null")) == .status(0)

    static func of(_ heard: [Int16], clean: [Int16]) throws -> Double {
        let base = "/tmp/offhook-opinion-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let (cleanPath, heardPath, log) = (base + ".clean.wav", base + ".heard.wav", base + ".log")
        defer { for path in [cleanPath, heardPath, log] { _ = unsafe unlink(path) } }
        try WaveFile(samples: clean).write(to: cleanPath)
        try WaveFile(samples: Array(heard.prefix(clean.count))).write(to: heardPath)
        let exit = try run([cleanPath, heardPath], log: log)
        let text = try String(contentsOfFile: log, encoding: .utf8)
        guard exit == .status(0), let score = Double(text.split(separator: "\n").last ?? "") else {
            throw Refused(log: text)
        }
        return score
    }

    private static func run(_ arguments: [String], log: String) throws -> ChildProcess.Exit? {
        try ChildProcess([SpokenWords.script("pesq")] + arguments, log: log).wait(upTo: .seconds(60))
    }
}
