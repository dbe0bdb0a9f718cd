import ArgumentParser
import Bench
import Control
import JSON

/// The phone's workbench, for development: it starts phones and measures them from outside.
@main
struct OffhookBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offhook-bench", abstract: "Rehearse and measure calls on a machine without hardware.",
        subcommands: [Backend.self, Call.self, Compare.self, Kiosk.self, Panel.self, TalkOff.self, Verto.self])

    struct Call: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Two phones on this machine talk, from hook to hook. Exits 0 only if all that is printed held.")

        @Option(help: "The phone's program; by default the one beside this.") var phone: String?
        @Option(help: "Folder for configurations, logs and recordings; created if missing.") var folder: String
        @Option(help: "The simulated panel's board file.") var board: String
        @Option(help: "The ALSA plug-in that makes a sound card of two files.") var wire: String
        @Option(help: "Length of the voice packets in milliseconds: 10 or 20.") var packet = 20
        @Option(help: "Alice's speech: a WAV file, 48 kHz, 16-bit, mono, up to 9 s.") var alice: String
        @Option(help: "Bob's speech.") var bob: String

        func validate() throws {
            guard [10, 20].contains(packet) else { throw ValidationError("--packet must be 10 or 20") }
        }

        func run() throws {
            let speech = RehearsedCall.Speech(alice: try WaveFile(path: alice), bob: try WaveFile(path: bob))
            let stage = try Stage(
                program: phone ?? Stage.beside("offhook"), folder: folder, board: board, wire: wire,
                packetMilliseconds: packet)
            let call = RehearsedCall(alice: stage.alice, bob: stage.bob, number: Stage.bobsNumber, speech: speech)
            try call.report("A call with packets of \(packet) ms", recordings: folder, stop: stage.stop)
        }
    }

    struct Compare: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compare spoken and heard sound: delay, correlation, segmental SNR, as JSON.")

        @Argument(help: "A WAV file.") var said: String
        @Argument(help: "A WAV file that begins at the same instant and is at least a second longer.") var heard: String

        func run() throws {
            let (said, heard) = (try WaveFile(path: said), try WaveFile(path: heard))
            guard let similarity = Similarity(said: said.samples, heard: heard.samples) else {
                print(JSONValue.null.text)
                throw ExitCode.failure
            }
            let figures: JSONValue = [
                "delayMs": .number(similarity.delayMilliseconds),
                "delaySpreadMs": .number(similarity.delaySpreadMilliseconds),
                "correlation": .number(similarity.correlation),
                "segmentalSNR": .number(similarity.segmentalRatioDecibels),
                "segments": .integer(Int64(similarity.segments)),
            ]
            print(figures.text)
        }
    }
}
