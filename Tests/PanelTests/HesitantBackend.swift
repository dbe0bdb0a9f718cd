import Base
import Panel
import Platform
import Synchronization

/// A backend whose first level read after an edge is slow, as when the thread stalls there.
final class HesitantBackend: PanelBackend {
    private let inner: SimulatedBackend
    private let pause: Duration
    private let hesitates = Mutex(false)

    init(_ inner: SimulatedBackend, _ pause: Duration) { (self.inner, self.pause) = (inner, pause) }

    func open(_ lines: [LineRequest]) throws(PanelError) { try inner.open(lines) }

    func isActive(_ line: Int) throws(PanelError) -> Bool {
        let hesitates = self.hesitates.withLock { hesitates in
            defer { hesitates = false }
            return hesitates
        }
        if hesitates { MonotonicClock.sleep(pause) }
        return try inner.isActive(line)
    }

    func set(_ line: Int, active: Bool) throws(PanelError) { try inner.set(line, active: active) }

    func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge] {
        let edges = try inner.wait(until: deadline)
        if !edges.isEmpty { hesitates.withLock { $0 = true } }
        return edges
    }

    func wake() { inner.wake() }
    func close() { inner.close() }
}
