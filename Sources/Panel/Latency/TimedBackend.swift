import Base
import Platform

/// Wraps another backend and reports its edges as soon as the panel's thread has them, with the time of its wake-up.
public final class TimedBackend: PanelBackend {
    private let inner: any PanelBackend
    private let onEdges: @Sendable ([LineEdge], Instant) -> Void

    /// - Parameter onEdges: Called on the panel's thread.
    public init(_ inner: any PanelBackend, onEdges: @escaping @Sendable ([LineEdge], Instant) -> Void) {
        (self.inner, self.onEdges) = (inner, onEdges)
    }

    public func open(_ lines: [LineRequest]) throws(PanelError) { try inner.open(lines) }

    public func isActive(_ line: Int) throws(PanelError) -> Bool { try inner.isActive(line) }

    public func set(_ line: Int, active: Bool) throws(PanelError) { try inner.set(line, active: active) }

    public func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge] {
        let edges = try inner.wait(until: deadline)
        if !edges.isEmpty { onEdges(edges, MonotonicClock.now()) }
        return edges
    }

    public func wake() { inner.wake() }

    public func close() { inner.close() }
}
