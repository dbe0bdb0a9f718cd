import ArgumentParser
import Panel
import PhoneCore

extension BoardCommand {
    struct Latency: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "latency", abstract: "Measure how late the panel is for what a person presses.",
            discussion: """
                From an edge, as the kernel stamped it, until the panel's thread ran, and until the event was there, less the debounce \
                that the file asks for. Hook, keys and inputs are measured; of a matrix, the press; a dial's digits are not. \
                A phone that runs on these lines has them.
                """)

        @Argument(help: "The board file.", completion: .file(extensions: ["yaml"]))
        var file = BoardFile.usual
        @Option(help: "End after so many events, 1 to 10000.") var events = 20
        @Option(help: "End after so many seconds, 1 to 3600.") var seconds = 60

        func validate() throws {
            guard (1...10_000).contains(events) else { throw ValidationError("--events: 1 to 10000") }
            guard (1...3_600).contains(seconds) else { throw ValidationError("--seconds: 1 to 3600") }
        }

        func run() throws {
            let board = try Board.load(path: file)
            guard board.panel.backend == .gpiod else { throw CommandError("\(file): a simulated panel has no lines") }
            try board.tryLines()
            let signals = TerminationSignals.block()
            let watch = ContactWatch(board)
            let measurement = LatencyMeasurement(board) { watch.tell($0, and: $1) }
            print("Lift, press and release, \(events) times or for \(seconds) seconds.")
            try StandardOutput.flush()
            let tally = try measurement.run(
                GPIODBackend(), events: events, time: .seconds(seconds), onEdges: { watch.moved($0) },
                isOver: { signals.isPending })
            print(try Self.words(tally))
            try StandardOutput.flush()
        }

        private static func words(_ tally: LatencyTally) throws(CommandError) -> String {
            guard let awake = LatencyFigures(tally.awake) else {
                throw CommandError("nothing moved, so nothing was measured")
            }
            let told = LatencyFigures(tally.told).map { "\($0)" } ?? "none that could be measured"
            return """
                edge to thread awake            \(awake)
                edge to event, less debounce    \(told)
                """
        }
    }
}
