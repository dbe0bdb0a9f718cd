import Base

/// A change of an input line.
public struct LineEdge: Equatable, Sendable {
    /// The index of the line in the list that was opened.
    public let line: Int
    /// Whether the line is active after the edge.
    public let active: Bool
    public let at: Instant

    public init(line: Int, active: Bool, at: Instant) {
        self.line = line
        self.active = active
        self.at = at
    }
}

/// The lines of a panel: reads and sets levels, and waits for edges. Levels are logical, with polarity applied.
///
/// One thread opens, uses and closes it; only `wake` may be called from any thread. A line is identified by its index
/// in the list given to `open`.
public protocol PanelBackend: AnyObject, Sendable {
    /// Takes all lines or none. Outputs begin inactive.
    func open(_ lines: [LineRequest]) throws(PanelError)

    func isActive(_ line: Int) throws(PanelError) -> Bool
    func set(_ line: Int, active: Bool) throws(PanelError)

    /// Blocks until an input changes, `wake` is called, or the deadline is reached. Nil waits for ever.
    ///
    /// - Returns: Edges since the last call, ordered by time. Some may be missing, because the kernel's queues are
    ///   short. A caller that needs the true level reads it afterwards.
    func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge]

    /// Makes the current or the next `wait` return at once.
    func wake()

    /// Releases all lines. Does nothing if none is open.
    func close()
}
