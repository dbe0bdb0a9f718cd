import ArgumentParser
import Bench
import Glibc

extension OffhookBench {
    struct Kiosk: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "A kiosk at a door and two desks on this machine, step by step. Exits 0 only if every step held.")

        @Option(help: "The phone's program; by default the one beside this.") var phone: String?
        @Option(help: "Folder for configurations and logs; created if missing.") var folder: String
        @Option(help: "The simulated panel's board file.") var board: String
        @Option(help: "The ALSA plug-in that makes a sound card of two files.") var wire: String
        @Option(help: "The sections of the configuration that make a phone a kiosk.") var sections: String

        func run() throws {
            let stage = try KioskStage(
                program: phone ?? Stage.beside("offhook"), folder: folder, board: board, wire: wire,
                kiosk: try TextFile.read(sections))
            let kiosk = RehearsedKiosk(stage.phones, kioskNumber: KioskStage.kioskNumber)
            let failure = Result { try kiosk.run { Self.tell("ok  ", $0, $1) } }
            if case .failure(let error) = failure { print("  FAIL  \(error)") }
            let stopped = stage.stop()
            for check in stopped.checks { Self.tell(check.held ? "ok  " : "FAIL", check.name, check.detail) }
            guard case .success = failure, stopped.allHeld else { throw ExitCode.failure }
        }

        private static func tell(_ verdict: String, _ step: String, _ facts: String) {
            print("  \(verdict)  " + step + String(repeating: " ", count: max(1, 30 - step.count)) + facts)
            // Each step is shown as it happens, in a pipe, too.
            fflush(nil)
        }
    }
}
