import Base
import Bench
import Commands

extension OffhookBench {
    static var verto: Command {
        Command(
            "verto",
            """
            Two phones on this machine talk through a server that speaks Verto, and compare their four words. Exits 0 \
            only if all that is printed held.
            """, Scene.input, Speakers.input,
            Parameter.option("python", "A Python that has aiortc.", .file()).required(),
            Parameter.option("server", "The server: verto.py.", .file()).required(),
            Parameter.flag("short", "Without hold and resume, and with three seconds of what they say.")
        ) { scene, speakers, python, server, isShort in
            func words(_ file: WaveFile) -> WaveFile {
                isShort ? WaveFile(samples: Array(file.samples.prefix(3 * Wire.rate))) : file
            }
            let speech = RehearsedCall.Speech(alice: words(try speakers.alice), bob: words(try speakers.bob))
            let stage = try VertoStage(
                program: scene.program, folder: scene.folder, board: scene.board, wire: scene.wire, python: python,
                server: server)
            let call = RehearsedCall(
                alice: stage.alice, bob: stage.bob, number: VertoStage.bobsNumber, speech: speech, way: .verto,
                isShort: isShort)
            try call.report(
                "A call through a server that speaks Verto, with media past it", recordings: scene.folder,
                stop: stage.stop)
        }
    }
}
