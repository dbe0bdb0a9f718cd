import Bench
import Foundation
import HostStalls
import Rig
import Testing

/// `offhook setup` on a terminal, with a sound card made of files.
@Suite(.serialized, .stallsForgiven) struct SetupTerminalTests {
    private let workplace: Workplace
    private let card: SoundCard

    init() throws {
        workplace = try Workplace()
        card = try workplace.soundCard("card")
    }

    private var configuration: String { workplace.path + "/new/offhook.yaml" }
    private var said: String { (try? String(contentsOfFile: workplace.path + "/said", encoding: .utf8)) ?? "" }

    /// Types these lines, one after the other, for any question.
    private func typing(_ lines: [String]) throws -> ChildProcess {
        let typed = workplace.path + "/typed"
        try TextFile.write(lines.map { $0 + "\n" }.joined(), to: typed)
        let words = "'\(Workplace.phone)' setup --config '\(configuration)'"
        return try ChildProcess(
            ["sh", "-c", "exec script -qec \"$0\" /dev/null < \"$1\"", words, typed],
            environment: ["ALSA_CONFIG_PATH": card.configuration], log: workplace.path + "/said")
    }

    @Test(.limit(minutesEachTime: 1)) func recordingIsPlayedToPerson() throws {
        let (mouth, ear) = (try Wire(path: card.mouth), try Wire(path: card.ear))
        let speech = (0..<10 * Wire.rate).map { Int16(3_277 * sin(Double($0) / 10)) }
        mouth.say(speech, at: Wire.now)
        let run = try typing(["yes", "DE", card.name, "yes", "", "", "", "no", "none", "no"])
        for _ in 0..<2_000 where !said.contains("Did you hear") { MonotonicTime.sleep(.milliseconds(10)) }
        let now = Wire.now
        #expect(run.wait(upTo: .seconds(20)) == .status(1), "\(said)")
        #expect(said.contains("The microphone works. Playing the recording:"), "\(said)")
        // Three seconds are played just before the question, after three seconds of silence.
        let loudest = ear.heard(now - 4 * Wire.rate..<now).map { abs(Int($0)) }.max() ?? 0
        #expect((3_000...3_500).contains(loudest), "\(loudest)")
        // The last answer refused to write anything.
        #expect(said.contains("nothing was written") && said.contains("+  handset: {capture: "), "\(said)")
        #expect(!FileManager.default.fileExists(atPath: configuration))
    }

    @Test(.limit(minutesEachTime: 1)) func silenceAsksAgain() throws {
        let run = try typing(["yes", "", card.name, "keep", "", "", "", "no", "none", "yes", "none"])
        #expect(run.wait(upTo: .seconds(40)) == .status(0), "\(said)")
        #expect(said.contains("Silence: unmute the microphone"), "\(said)")
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        #expect(text.contains("handset: {capture: \(card.name), playback: \(card.name)}"), "\(text)")
    }
}
