import ArgumentParser
import Panel
import PhoneCore

extension BoardCommand {
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Switch each lamp, the bell, relays and the display, and ask whether they did it.",
            discussion: """
                Each lamp is on, blinks slowly and fast, and flashes; the bell rings for two seconds; the display shows words. \
                Everything is off afterwards, however it ends. A simulated panel writes what its outputs do. It exits 1 if a part did not do it. \
                A phone that runs on these lines has them.
                """)

        @Argument(help: "The board file.", completion: .file(extensions: ["yaml"]))
        var file = BoardFile.usual
        @Flag(help: "Switch relays, too, each for a second and only after a yes: they may open a door.")
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
                // It switches off whatever is on, before anything else is told.
                defer { panel.close() }
                try run.run(trials)
                if let display = board.panel.display { try run.tryDisplay(display) }
            }
            if !relays, !board.panel.relays.isEmpty { try person.say("Relays were not tried: --relays does it.") }
            try summarise(run, person)
        }

        private func summarise(_ run: OutputRun, _ person: BoardTerminal) throws {
            for name in run.untried { try person.say("not tried  \(name)") }
            for name in run.failed { try person.say("failed     \(name)") }
            try person.say("\(run.passed.count) did what they should, \(run.failed.count) did not.")
            guard run.failed.isEmpty else { throw ExitCode.failure }
        }

        private static func backend(_ board: Board) -> any PanelBackend {
            guard board.panel.backend == .simulated else { return GPIODBackend() }
            return SimulatedBackend(board: board) { output in
                print("  \(words(output.part)): \(output.active ? "on" : "off")")
                // Whoever reads it through a pipe sees it now, and a reader that is gone ends the questions by itself.
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
