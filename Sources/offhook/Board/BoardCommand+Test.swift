import ArgumentParser
import Panel
import PhoneCore

extension BoardCommand {
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Try each lamp, the bell, relays and the display, and ask whether they work.",
            discussion: """
                Each lamp is on, blinks slowly and fast, and flashes; the bell rings for two seconds; the display \
                shows a text. All outputs are off afterwards, even after an error. A simulated panel prints its \
                outputs. Exits 1 if a part did not work. First stop a phone that uses these lines.
                """)

        @Argument(help: "The board file.", completion: .file(extensions: ["yaml"]))
        var file = BoardFile.usual
        @Flag(help: "Also try relays, each for a second and only after a yes, because they may open a door.")
        var relays = false

        func run() throws {
            let board = try Board.load(path: file)
            let trials = OutputTrial.all(of: board.panel, relays: relays)
            guard !trials.isEmpty || board.panel.display != nil else {
                let hint = board.panel.relays.isEmpty ? "" : " besides relays (--relays)"
                throw CommandError("\(file): the board has no outputs\(hint)")
            }
            try board.tryLines()
            let person = try BoardTerminal(needsPerson: false)
            let failure = FirstFailure()
            let panel = Panel(board: board, backend: Self.backend(board)) { failure.note($0) }
            try panel.start()
            var run = OutputRun(panel: panel, failure: failure, person: person)
            do {
                // Closing the panel switches all outputs off, before any further text.
                defer { panel.close() }
                try run.run(trials)
                if let display = board.panel.display { try run.tryDisplay(display) }
            }
            if !relays, !board.panel.relays.isEmpty { try person.say("Relays were not tried; --relays tries them.") }
            try summarise(run, person)
        }

        private func summarise(_ run: OutputRun, _ person: BoardTerminal) throws {
            for name in run.untried { try person.say("not tried  \(name)") }
            for name in run.failed { try person.say("failed     \(name)") }
            try person.say("\(run.passed.count) worked, \(run.failed.count) did not.")
            guard run.failed.isEmpty else { throw ExitCode.failure }
        }

        private static func backend(_ board: Board) -> any PanelBackend {
            guard board.panel.backend == .simulated else { return GPIODBackend() }
            return SimulatedBackend(board: board) { output in
                print("  \(words(output.part)): \(output.active ? "on" : "off")")
                // Flush each line, for a reader at a pipe. When that reader is gone, the questions end.
                do throws(CommandError) { try StandardOutput.flush() } catch { TerminationSignals.askForEnd() }
            }
        }

        private static func words(_ part: PanelOutput) -> String {
            switch part {
            case .lamp(let lamp): "lamp \(lamp.rawValue)"
            case .bell: "bell"
            case .relay(let number): "relay \(number)"
            }
        }
    }
}
