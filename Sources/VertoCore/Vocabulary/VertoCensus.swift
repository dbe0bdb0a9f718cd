/// Counts of the frames that a session has received, sent and dropped.
public struct VertoCensus: Equatable, Sendable {
    public internal(set) var framesHeard = 0
    public internal(set) var framesSent = 0
    /// Requested connections.
    public internal(set) var connections = 0
    private var drops: [VertoDrop: Int] = [:]

    /// How often something was dropped for this reason.
    public internal(set) subscript(reason: VertoDrop) -> Int {
        get { drops[reason] ?? 0 }
        set { drops[reason] = newValue }
    }
}
