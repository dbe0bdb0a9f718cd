import ArgumentParser
import Panel
import PhoneCore

extension BoardCommand {
    struct Latency: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "latency", abstract: "Measure the panel's input latency.",
            discussion: """
                Measures from the kernel's time stamp of an edge until the panel's thread runs, and until the event \
                exists, minus the debounce of the board file. Covers hook, keys and inputs; of a matrix only presses; \
                of a dial nothing. First stop a phone that uses these lines.
                """)

        @Argument(help: "The board file.", completion: .file(extensions: ["yaml"]))
        var file = BoardFile.usual
        @Option(help: "Number of events to measure, 1 to 10000.") var events = 20
        @Option(help: "Longest duration in seconds, 1 to 3600.") var seconds = 60

        func validate() throws {
            guard (1...10_000).contains(events) else { throw ValidationError("--events must be 1 to 10000") }
            guard (1...3_600).contains(seconds) else { throw ValidationError("--seconds must be 1 to 3600") }
        }

        func run() throws {
            let board = try Board.load(path: file)
            guard board.panel.backend == .gpiod else { throw CommandError("\(file): a simulated panel has no lines") }
            try board.tryLines()
            let signals = TerminationSignals.block()
            let watch = ContactWatch(board)
            let measurement = LatencyMeasurement(board) { watch.tell($0, and: $1) }
            print("Lift, press and release: until \(events) events are measured, at most \(seconds) seconds.")
            try StandardOutput.flush()
            let tally = try measurement.run(
                GPIODBackend(), events: events, time: .seconds(seconds), onEdges: { watch.moved($0) },
                isOver: { signals.isPending })
            print(try Self.words(tally))
            try StandardOutput.flush()
        }

        private static func words(_ tally: LatencyTally) throws(CommandError) -> String {
            guard let awake = LatencyFigures(tally.awake) else {
                throw CommandError("no contact moved, so nothing was measured")
            }
            let told = LatencyFigures(tally.told).map { "\($0)" } ?? "no event could be measured"
            return """
                edge to thread awake            \(awake)
                edge to event, less debounce    \(told)
                """
        }
    }
}
