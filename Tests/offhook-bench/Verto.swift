import ArgumentParser
import Base
import Bench

extension OffhookBench {
    struct Verto: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: """
                Two phones on this machine talk through a server that speaks Verto, and compare their four words. Exits 0 only \
                if all that is printed held.
                """)

        @Option(help: "The phone's program; by default the one beside this.") var phone: String?
        @Option(help: "Folder for configurations, logs and recordings; created if missing.") var folder: String
        @Option(help: "The simulated panel's board file.") var board: String
        @Option(help: "The ALSA plug-in that makes a sound card of two files.") var wire: String
        @Option(help: "A Python that has aiortc.") var python: String
        @Option(help: "The server: verto.py.") var server: String
        @Option(help: "Alice's speech: a WAV file, 48 kHz, 16-bit, mono, up to 9 s.") var alice: String
        @Option(help: "Bob's speech.") var bob: String
        @Flag(help: "Without hold and resume, and with three seconds of what they say.") var short = false

        func run() throws {
            let speech = RehearsedCall.Speech(alice: try words(alice), bob: try words(bob))
            let stage = try VertoStage(
                program: phone ?? Stage.beside("offhook"), folder: folder, board: board, wire: wire, python: python,
                server: server)
            let call = RehearsedCall(
                alice: stage.alice, bob: stage.bob, number: VertoStage.bobsNumber, speech: speech, way: .verto,
                isShort: short)
            try call.report(
                "A call through a server that speaks Verto, with media past it", recordings: folder, stop: stage.stop)
        }

        private func words(_ path: String) throws -> WaveFile {
            let file = try WaveFile(path: path)
            return short ? WaveFile(samples: Array(file.samples.prefix(3 * Wire.rate))) : file
        }
    }
}
