import Base
import Commands
import Panel
import PhoneCore
import Platform
import Synchronization

extension BoardCommand {
    static var latency: Command {
        Command(
            "latency", "Measure the panel's input latency.",
            discussion: """
                Measures from the kernel's time stamp of an edge until the panel's thread runs, and until the event \
                exists, minus the debounce of the board file. Covers hook, keys and inputs; of a matrix only presses; \
                of a dial nothing. First stop a phone that uses these lines.
                """, BoardFile.input("The board file."),
            Parameter.option("events", "Number of events to measure, 1 to 10000.", .number(1...10_000)).usual(20),
            Parameter.option("seconds", "Longest duration in seconds, 1 to 3600.", .number(1...3_600)).usual(60)
        ) { file, events, seconds in
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
            print(try words(tally))
            try StandardOutput.flush()
        }
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

/// Runs a panel and measures its latency, until it has enough events or the time is over.
package final class LatencyMeasurement: Sendable {
    private struct State {
        var tally: LatencyTally
        var failure: String?
    }

    /// The longest wait before an interruption is noticed.
    private static let look = Duration.milliseconds(100)

    private let state: Mutex<State>
    private let changed = WakeSignal.atStart()
    private let board: Board
    private let onEvent: @Sendable (PanelEvent, String) -> Void

    /// - Parameter onEvent: Called on the panel's thread with each event and the text of its latency.
    package init(_ board: Board, onEvent: @escaping @Sendable (PanelEvent, String) -> Void) {
        (self.board, self.onEvent) = (board, onEvent)
        state = Mutex(State(tally: LatencyTally(board)))
    }

    /// Opens the backend's lines, and releases them before it returns.
    /// - Parameters:
    ///   - events: The number of measured events after which it ends.
    ///   - onEdges: Called on the panel's thread with all edges, before the resulting events.
    ///   - isOver: Whether somebody has interrupted the measurement. Called several times a second.
    package func run(
        _ backend: any PanelBackend, events: Int, time: Duration,
        onEdges: @escaping @Sendable ([LineEdge]) -> Void = { _ in }, isOver: () -> Bool
    ) throws -> LatencyTally {
        let timed = TimedBackend(backend) { [self] edges, now in
            state.withLock { $0.tally.woke(edges, at: now) }
            onEdges(edges)
        }
        let panel = Panel(board: board, backend: timed) { [self] in tell($0, at: MonotonicClock.now()) }
        try panel.start()
        let end = MonotonicClock.now() + time
        while !isOver(), MonotonicClock.now() < end, isWaiting(for: events) {
            changed.wait(until: min(end, MonotonicClock.now() + Self.look))
        }
        panel.close()
        return try state.withLock { state throws(CommandError) in
            if let failure = state.failure { throw CommandError(failure) }
            return state.tally
        }
    }

    private func isWaiting(for events: Int) -> Bool {
        state.withLock { $0.failure == nil && $0.tally.told.count < events }
    }

    private func tell(_ event: PanelEvent, at now: Instant) {
        let sample = state.withLock { state in
            if case .failed(let why) = event { state.failure = state.failure ?? why }
            return state.tally.told(event, at: now)
        }
        let words = sample.map { late, debounce in
            ", \(late.nanoseconds / 1_000) µs late (debounce \(debounce.nanoseconds / 1_000_000) ms)"
        }
        onEvent(event, words ?? "")
        changed.raise()
    }
}
