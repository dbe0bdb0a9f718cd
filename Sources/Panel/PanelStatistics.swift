import Synchronization

/// Counts of the panel's contacts since the panel was made.
public struct PanelStatistics: Equatable, Sendable {
    /// Changes of level, including bounces.
    public var edges = 0
    /// Events made from these changes.
    public var events = 0
    /// Turns of the dial without a digit: cut short, too many pulses, or edges lost because the machine stood still.
    public var dialFaults = 0

    public init() {}
}

/// The counters behind `PanelStatistics`, counted by the panel's thread and read by any other.
final class PanelCounters: Sendable {
    private let edges = Atomic<Int>(0)
    private let events = Atomic<Int>(0)
    private let dialFaults = Atomic<Int>(0)

    func count(edges: Int, events: Int) {
        self.edges.wrappingAdd(edges, ordering: .relaxed)
        self.events.wrappingAdd(events, ordering: .relaxed)
    }

    func show(dialFaults: Int) { self.dialFaults.store(dialFaults, ordering: .relaxed) }

    var snapshot: PanelStatistics {
        var copy = PanelStatistics()
        copy.edges = edges.load(ordering: .relaxed)
        copy.events = events.load(ordering: .relaxed)
        copy.dialFaults = dialFaults.load(ordering: .relaxed)
        return copy
    }
}
