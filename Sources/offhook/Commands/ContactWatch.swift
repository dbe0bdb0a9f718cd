import Base
import Panel
import PhoneCore
import Platform
import Synchronization

/// Prints what contacts do, a line for each event: seconds since the start, the event, and its changes of level.
final class ContactWatch: Sendable {
    private struct State {
        var panel: Panel?
        /// How many changes of level the lines before have told.
        var edges = 0
    }

    private let began = MonotonicClock.now()
    private let state = Mutex(State())

    func watch(_ panel: Panel) { state.withLock { $0.panel = panel } }

    /// On the panel's thread.
    /// - Parameter more: What else is told of the event, behind it.
    func tell(_ event: PanelEvent, and more: String = "") {
        let edges = state.withLock { state in
            let all = state.panel?.statistics.edges ?? 0
            defer { state.edges = all }
            return all - state.edges
        }
        let milliseconds = (MonotonicClock.now() - began).nanoseconds / 1_000_000
        let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
        let changes = edges == 0 ? "" : ", \(edges) changes of level"
        print("\(milliseconds / 1_000).\(fraction)  \(Self.words(event))\(changes)\(more)")
        // Whoever reads it through a pipe sees it now. When the reader is gone there is nothing to watch for.
        do throws(CommandError) { try StandardOutput.flush() } catch { TerminationSignals.askForEnd() }
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
