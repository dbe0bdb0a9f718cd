import Base
import Bench
import Commands
import Control
import Glibc
import JSON

/// The phone's workbench, for development: it starts phones and measures them from outside.
@main
enum OffhookBench {
    static func main() {
        exit(command.perform(Array(CommandLine.arguments.dropFirst()), version: ProgramVersion.text))
    }

    private static var command: Command {
        .group(
            "offhook-bench", "Rehearse and measure calls on a machine without hardware.",
            [backend, call, compare, kiosk, panel, talkOff, verto])
    }

    private static var call: Command {
        Command(
            "call", "Two phones on this machine talk, from hook to hook. Exits 0 only if all that is printed held.",
            Scene.input, Speakers.input,
            Parameter.option("packet", "Length of the voice packets in milliseconds: 10 or 20.", .word(["10", "20"]))
                .usual("20")
        ) { scene, speakers, packet in
            let stage = try Stage(
                program: scene.program, folder: scene.folder, board: scene.board, wire: scene.wire,
                packetMilliseconds: packet == "10" ? 10 : 20)
            let call = RehearsedCall(
                alice: stage.alice, bob: stage.bob, number: Stage.bobsNumber,
                speech: RehearsedCall.Speech(alice: try speakers.alice, bob: try speakers.bob))
            try call.report("A call with packets of \(packet) ms", recordings: scene.folder, stop: stage.stop)
        }
    }

    private static var compare: Command {
        Command(
            "compare", "Compare spoken and heard sound: delay, correlation, segmental SNR, as JSON.",
            Parameter.argument("said", "A WAV file.", .file(ending: "wav")),
            Parameter.argument(
                "heard", "A WAV file that begins at the same instant and is at least a second longer.",
                .file(ending: "wav"))
        ) { said, heard in
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

/// What every rehearsal needs.
struct Scene {
    let folder: String
    let board: String
    let wire: String
    private let phone: String?

    /// The phone's program.
    var program: String { get throws { try phone ?? Stage.beside("offhook") } }

    static var input: Input<Scene> {
        .all(
            phone,
            Parameter.option("folder", "Folder for configurations, logs and recordings; created if missing.", .file())
                .required(), Parameter.option("board", "The simulated panel's board file.", .file()).required(),
            Parameter.option("wire", "The ALSA plug-in that makes a sound card of two files.", .file()).required()
        ) { Scene(folder: $1, board: $2, wire: $3, phone: $0) }
    }

    static var phone: Input<String?> {
        Parameter.option("phone", "The phone's program; by default the one beside this.", .file())
    }
}

/// The sound files of both ends.
struct Speakers {
    private let names: (alice: String, bob: String)

    var alice: WaveFile { get throws { try WaveFile(path: names.alice) } }
    var bob: WaveFile { get throws { try WaveFile(path: names.bob) } }

    static var input: Input<Speakers> {
        .all(
            Parameter.option(
                "alice", "Alice's speech: a WAV file, 48 kHz, 16-bit, mono, up to 9 s.", .file(ending: "wav")
            ).required(), Parameter.option("bob", "Bob's speech.", .file(ending: "wav")).required()
        ) { Speakers(names: ($0, $1)) }
    }
}
