import Bench
import Commands
import Glibc

extension OffhookBench {
    static var kiosk: Command {
        Command(
            "kiosk", "A kiosk at a door and two desks on this machine, step by step. Exits 0 only if every step held.",
            Scene.input,
            Parameter.option("sections", "The sections of the configuration that make a phone a kiosk.", .file())
                .required()
        ) { scene, sections in
            let stage = try KioskStage(
                program: scene.program, folder: scene.folder, board: scene.board, wire: scene.wire,
                kiosk: try TextFile.read(sections))
            let kiosk = RehearsedKiosk(stage.phones, kioskNumber: KioskStage.kioskNumber)
            let failure = Result { try kiosk.run { tell("ok  ", $0, $1) } }
            if case .failure(let error) = failure { print("  FAIL  \(error)") }
            let stopped = stage.stop()
            for check in stopped.checks { tell(check.held ? "ok  " : "FAIL", check.name, check.detail) }
            guard case .success = failure, stopped.allHeld else { throw ExitCode.failure }
        }
    }

    private static func tell(_ verdict: String, _ step: String, _ facts: String) {
        print("  \(verdict)  " + step + String(repeating: " ", count: max(1, 30 - step.count)) + facts)
        // Each step is shown as it happens, in a pipe, too.
        fflush(nil)
    }
}
