import Base
import Glibc
import Panel
import Platform
import Synchronization

/// Unconnected lines; it watches whether two outputs are ever active together. Each third wait returns late, as on a
/// busy machine.
final class WatchedBackend: PanelBackend {
    private struct State {
        var active: Set<Int> = []
        var hadBoth = false
        var changes = 0
        var waits = 0
    }

    private let state = Mutex(State())
    private let signal = WakeSignal.atStart()

    var hadBoth: Bool { state.withLock { $0.hadBoth } }

    /// Waits until the outputs have changed this often.
    func waits(for changes: Int) -> Bool {
        for _ in 0..<500 {
            if state.withLock({ $0.changes >= changes }) { return true }
            usleep(10_000)
        }
        return false
    }

    func open(_ lines: [LineRequest]) throws(PanelError) {}
    func isActive(_ line: Int) throws(PanelError) -> Bool { false }

    func set(_ line: Int, active: Bool) throws(PanelError) {
        state.withLock { state in
            if active { state.active.insert(line) } else { state.active.remove(line) }
            state.hadBoth = state.hadBoth || state.active.count > 1
            state.changes += 1
        }
    }

    func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge] {
        signal.wait(until: deadline)
        let isLate = state.withLock { state in
            state.waits += 1
            return state.waits.isMultiple(of: 3)
        }
        if isLate { usleep(20_000) }
        return []
    }

    func wake() { signal.raise() }
    func close() {}
}
