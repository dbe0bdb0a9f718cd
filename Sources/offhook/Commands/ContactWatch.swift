import Base
import Glibc
import Panel
import PhoneCore
import Platform
import Synchronization

/// Prints what contacts do, a line for each event: seconds since the start, the event, and its changes of level.
final class ContactWatch: Sendable {
    private struct State {
        var tally: ContactTally
        /// Whether nobody reads what is printed.
        var isUnread = false
    }

    private let began = MonotonicClock.now()
    private let state: Mutex<State>

    init(_ board: Board) { state = Mutex(State(tally: ContactTally(board))) }

    /// Counts edges; called on the panel's thread, before the events that these edges led to.
    func moved(_ edges: [LineEdge]) { state.withLock { $0.tally.moved(edges) } }

    /// Prints an event; called on the panel's thread.
    /// - Parameter more: What else is told of the event, behind it.
    func tell(_ event: PanelEvent, and more: String = "") {
        let edges = state.withLock { $0.tally.told(event) }
        let milliseconds = (MonotonicClock.now() - began).nanoseconds / 1_000_000
        let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
        let changes = edges == 0 ? "" : ", \(edges) \(edges == 1 ? "change" : "changes") of level"
        print("\(milliseconds / 1_000).\(fraction)  \(Self.words(event))\(changes)\(more)")
        // Whoever reads it through a pipe sees it now. When the reader is gone there is nothing to watch for.
        do throws(CommandError) {
            try StandardOutput.flush()
        } catch {
            state.withLock { $0.isUnread = true }
            TerminationSignals.askForEnd()
        }
    }

    /// Prints what each contact did in all, unless nobody reads it.
    func summarise() throws(CommandError) {
        let (isUnread, table) = state.withLock { ($0.isUnread, $0.tally.table) }
        guard !isUnread else { return }
        // A terminal has written the Ctrl-C that ended it on this line.
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
