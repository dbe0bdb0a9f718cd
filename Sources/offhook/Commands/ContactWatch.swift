import Base
import Glibc
import Panel
import PhoneCore
import Platform
import Synchronization

/// Prints one line for each event of a contact. A line has the seconds since the start, the event, and its changes of
/// level.
final class ContactWatch: Sendable {
    private struct State {
        var tally: ContactTally
        /// Whether the reader of the output is gone.
        var isUnread = false
    }

    private let began = MonotonicClock.now()
    private let state: Mutex<State>

    init(_ board: Board) { state = Mutex(State(tally: ContactTally(board))) }

    /// Counts edges. Called on the panel's thread, before the events that result from these edges.
    func moved(_ edges: [LineEdge]) { state.withLock { $0.tally.moved(edges) } }

    /// Prints an event. Called on the panel's thread.
    /// - Parameter more: Text that follows the event.
    func tell(_ event: PanelEvent, and more: String = "") {
        let edges = state.withLock { $0.tally.told(event) }
        let milliseconds = (MonotonicClock.now() - began).nanoseconds / 1_000_000
        let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
        let changes = edges == 0 ? "" : ", \(edges) \(edges == 1 ? "change" : "changes") of level"
        print("\(milliseconds / 1_000).\(fraction)  \(Self.words(event))\(changes)\(more)")
        // Flush each line, for a reader at a pipe. When that reader is gone, the watch ends.
        do throws(CommandError) {
            try StandardOutput.flush()
        } catch {
            state.withLock { $0.isUnread = true }
            TerminationSignals.askForEnd()
        }
    }

    /// Prints the figures of each contact, unless the reader is gone.
    func summarise() throws(CommandError) {
        let (isUnread, table) = state.withLock { ($0.isUnread, $0.tally.table) }
        guard !isUnread else { return }
        // The terminal has echoed the Ctrl-C on this line.
        if isatty(STDOUT_FILENO) == 1 { print() }
        for line in table { print(line) }
        try StandardOutput.flush()
    }

    private static func words(_ event: PanelEvent) -> String {
        switch event {
        case .hookFound(let position): "hook: \(position == .offHook ? "off" : "on") at the start"
        case .hook(let position): "hook: \(position == .offHook ? "off" : "on")"
        case .pressed(let key): "key \(key.name): down"
        case .released(let key): "key \(key.name): up"
        case .input(let name, let active): "input \(name): \(active ? "active" : "at rest")"
        case .failed(let why): why
        }
    }
}
