import Base
import Panel
import PhoneCore
import Platform
import Synchronization

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
