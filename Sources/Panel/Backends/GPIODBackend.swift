import Base
import Platform
import Synchronization

/// The kernel's lines, through libgpiod 1.6 or 2.
public final class GPIODBackend: PanelBackend {
    /// There is no contention: one thread opens, uses and closes the lines.
    private let state = Mutex(OpenLines())
    private let watch = Mutex(ChipWatch())
    private let wakeSignal = WakeSignal.atStart()

    public init() {}

    deinit { close() }

    public func open(_ lines: [LineRequest]) throws(PanelError) {
        let finder = ChipFinder()
        var groups: [(path: String, indices: [Int])] = []
        for (index, line) in lines.enumerated() {
            let path = try finder.path(of: line.address.chip, for: line.key)
            if let group = groups.firstIndex(where: { $0.path == path }) {
                groups[group].indices.append(index)
            } else {
                groups.append((path, [index]))
            }
        }
        do throws(PanelError) {
            watch.withLock { $0 = ChipWatch() }
            for group in groups {
                watch.withLock { $0.add(group.path) }
                let requested = group.indices.map { lines[$0] }
                try state.withLock { state throws(PanelError) in
                    try unsafe state.add(LineGroup.request(requested, path: group.path), indices: group.indices)
                }
            }
        } catch {
            close()
            throw error
        }
    }

    public func isActive(_ line: Int) throws(PanelError) -> Bool {
        try state.withLock { state throws(PanelError) in try state.isActive(line) }
    }

    public func set(_ line: Int, active: Bool) throws(PanelError) {
        try state.withLock { state throws(PanelError) in try state.set(line, active: active) }
    }

    public func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge] {
        let descriptors = state.withLock { $0.descriptors } + watch.withLock { $0.descriptors }
        try wakeSignal.wait(with: descriptors, until: deadline)
        try watch.withLock { watch throws(PanelError) in try watch.look() }
        let now = MonotonicClock.now()
        let edges = try state.withLock { state throws(PanelError) in try state.readEdges(at: now) }
        return edges.sorted { $0.at < $1.at }
    }

    public func wake() { wakeSignal.raise() }

    public func close() {
        state.withLock { $0.release() }
    }
}
