import Base

/// A change of an input line.
public struct LineEdge: Equatable, Sendable {
    /// Index of the line in the list that was opened.
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

/// The lines of a panel: levels in, levels out, and waiting for edges. Levels are logical: polarity is applied.
///
/// One thread opens, uses and closes it; only `wake` may be called from any. A line is known by its index in the list
/// that was opened.
public protocol PanelBackend: AnyObject, Sendable {
    /// Takes all lines or none. Outputs begin inactive.
    func open(_ lines: [LineRequest]) throws(PanelError)

    func isActive(_ line: Int) throws(PanelError) -> Bool
    func set(_ line: Int, active: Bool) throws(PanelError)

    /// Blocks until an input changes, someone calls `wake`, or the time has come. Nil waits for ever.
    ///
    /// - Returns: Edges since the last call, in the order of their times; perhaps not all, as the kernel's queues are
    ///   short. So whoever needs the truth reads the level afterwards.
    func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge]

    /// Makes the present or the next `wait` return at once.
    func wake()

    /// Lets go of all lines. Does nothing when nothing is open.
    func close()
}
