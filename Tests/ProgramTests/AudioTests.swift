import Base
import Bench
import Comparison
import Foundation
import Rig
import HostStalls
import Testing

/// `offhook audio` with a sound card made of files.
@Suite(.serialized, .stallsForgiven) struct AudioTests {
    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        folder = try workplace.phoneFolder("phone", .init(port: 26_560, firstMediaPort: 26_900))
    }

    private func audio(_ words: String...) throws -> ChildProcess {
        try ChildProcess(
            [Workplace.phone, "audio"] + words + ["--config", folder.configuration],
            environment: ["ALSA_CONFIG_PATH": folder.card.configuration], log: folder.log)
    }

    private var said: String { (try? String(contentsOfFile: folder.log, encoding: .utf8)) ?? "" }

    @Test(.limit(minutesEachTime: 1)) func listShowsEveryRoute() throws {
        #expect(try audio("list").wait(upTo: .seconds(5)) == .status(0))
        #expect(said.contains("handset: microphone periods of 10.0 ms in "), "\(said)")
    }

    @Test(
        .limit(minutesEachTime: 1),
        arguments: [("ringing", "the handset's earpiece"), ("hw:CARD=Gone", "the ringer \"hw:CARD=Gone\"")])
    func listShowsRinger(device: String, words: String) throws {
        var settings = PhoneFolder.Settings(port: 26_560, firstMediaPort: 26_900)
        settings.more = "  ringer: \(device)"
        let ringing = try workplace.phoneFolder("ringing", settings)
        let list = try Command(["audio", "list", "--config", ringing.configuration], in: workplace)
        #expect(list.output.contains("Ringer: \(words)"), "\(list)")
    }

    @Test(.limit(minutesEachTime: 1)) func listNeedsNoConfiguration() throws {
        let missing = workplace.path + "/missing.yaml"
        let list = try Command(["audio", "list", "--config", missing], in: workplace)
        #expect(list.exit == .status(0) && list.output.contains("There is no configuration at \(missing)"), "\(list)")
        #expect(list.output.contains("Cards:") || list.output.contains("This machine has no sound card."), "\(list)")
        try TextFile.write("board: [", to: missing)
        #expect(try Command(["audio", "list", "--config", missing], in: workplace).failed)
    }

    @Test(.limit(minutesEachTime: 1)) func missingDeviceIsNamed() throws {
        var settings = PhoneFolder.Settings(port: 26_560, firstMediaPort: 26_900)
        settings.device = "hw:CARD=Gone"
        let broken = try workplace.phoneFolder("broken", settings)
        let list = try Command(["audio", "list", "--config", broken.configuration], in: workplace)
        #expect(list.output.contains("the handset's earpiece \"hw:CARD=Gone\": No such"), "\(list)")
        let test = try Command(["audio", "test", "--config", broken.configuration], in: workplace)
        #expect(test.failed && test.output.contains("hw:CARD=Gone"), "\(test)")
        let speaker = try Command(
            ["audio", "test", "--route", "speaker", "--config", folder.configuration], in: workplace)
        #expect(speaker.failed && speaker.output.contains("the speaker: no device is configured"), "\(speaker)")
    }

    /// An interrupted device leaves a gap and restarts later: the program reports it, and the test repeats the
    /// measurement.
    private func uninterrupted(_ attempt: () throws -> Void) throws {
        for _ in 0..<3 {
            try TextFile.write("", to: folder.log)
            try attempt()
            if said.contains("Gaps in the sound (interruptions): 0.") { return }
        }
    }

    @Test(.limit(minutesEachTime: 1)) func testPlaysDialTone() throws {
        let ear = try Wire(path: folder.card.ear)
        var sound: [Int16] = []
        try uninterrupted {
            let start = Wire.now
            let test = try audio("test", "--seconds", "2")
            #expect(test.wait(upTo: .seconds(10)) == .status(0))
            sound = ear.heard(start..<Wire.now)
        }
        // The program starts and ends within it; the tone lasts longer.
        let places = stride(from: 0, to: max(0, sound.count - 3 * Wire.rate / 2), by: Wire.rate / 20)
        let isTone = places.contains { Tones.hold([350, 440], in: Array(sound[$0..<$0 + 3 * Wire.rate / 2])) }
        #expect(isTone, "\(said)")
    }

    @Test(.limit(minutesEachTime: 1)) func levelShowsMicrophoneLevel() throws {
        let mouth = try Wire(path: folder.card.mouth)
        let tone = (0..<5 * Wire.rate).map { Int16(3_277 * sin(Double($0) / 10)) }
        mouth.say(tone, at: Wire.now)
        #expect(try audio("level", "--seconds", "2").wait(upTo: .seconds(10)) == .status(0))
        let lines = said.split(separator: "\n").filter { $0.contains("dBFS") }
        #expect(lines.count == 10 && lines.suffix(8).allSatisfy { $0.contains("-23 dBFS  ####") }, "\(said)")
    }

    @Test(.limit(minutesEachTime: 1)) func echoReturnsAfterOneSecond() throws {
        var heard: Similarity?
        try uninterrupted { heard = try echo() }
        let told = "\(String(describing: heard)) \(said)"
        #expect(heard.map { (1_000...1_100).contains($0.delayMilliseconds) } == true, "\(told)")
        #expect(heard.map { $0.segmentalRatioDecibels > 20 } == true, "\(told)")
    }

    /// The part of three seconds of speech that returns.
    private func echo() throws -> Similarity? {
        let (mouth, ear) = (try Wire(path: folder.card.mouth), try Wire(path: folder.card.ear))
        let echo = try audio("echo", "--seconds", "8")
        for _ in 0..<500 where !said.contains("you hear everything") { MonotonicTime.sleep(.milliseconds(10)) }
        let start = Wire.now
        let words = Array(workplace.alice.samples.prefix(3 * Wire.rate))
        mouth.say(words, at: start)
        #expect(echo.wait(upTo: .seconds(20)) == .status(0))
        return Similarity(said: words, heard: ear.heard(start..<start + 5 * Wire.rate), longestDelay: 1_500)
    }

    /// The ear's file is the microphone's, so the result is the program's own way through ALSA.
    @Test(.limit(minutesEachTime: 1)) func latencyIsRoundTrip() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.card.mouth, withDestinationPath: folder.card.ear)
        try uninterrupted {
            let latency = try audio("latency", "--times", "4")
            #expect(latency.wait(upTo: .seconds(10)) == .status(0))
        }
        let median = said.firstMatch(of: #/median ([0-9.]+) ms/#).flatMap { Double($0.1) }
        #expect(said.contains("Heard 4 of 4 chirps."), "\(said)")
        #expect(median.map { (10...80).contains($0) } == true, "\(said)")
    }

    @Test(.limit(minutesEachTime: 1)) func silenceHasNoLatency() throws {
        let latency = try audio("latency", "--times", "2")
        #expect(latency.wait(upTo: .seconds(10)) == .status(1))
        #expect(said.contains("none of 2 chirps was heard"), "\(said)")
    }
}
