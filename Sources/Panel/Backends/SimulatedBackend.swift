import Base
import Platform
import Synchronization

/// A panel without hardware. It has the same lines, levels and edges as the kernel's; `stimulate` moves them.
///
/// It runs on the real monotonic clock. A seed determines how its contacts bounce.
public final class SimulatedBackend: PanelBackend {
    private let plan: PanelPlan
    private let wiring: Mutex<SimulatedWiring>
    private let lit = Mutex<Set<Int>>([])
    private let wakeSignal = WakeSignal.atStart()
    private let onOutput: @Sendable (SimulatedOutput) -> Void

    /// - Parameter onOutput: Called on the panel's thread whenever a lamp, a relay or the bell goes on or off.
    public init(
        board: Board, bounce: ContactBounce = .typical, seed: UInt64 = 1,
        onOutput: @escaping @Sendable (SimulatedOutput) -> Void = { _ in }
    ) {
        plan = PanelPlan(board.panel)
        wiring = Mutex(SimulatedWiring(plan, bounce: bounce, seed: seed))
        self.onOutput = onOutput
    }

    /// Performs a person's action now. It may be called from any thread, also before the panel starts.
    ///
    /// - Returns: When the contact first moved.
    @discardableResult
    public func stimulate(_ stimulus: PanelStimulus) throws(PanelError) -> Instant {
        let now = try wiring.withLock { wiring throws(PanelError) in
            let now = MonotonicClock.now()
            try wiring.apply(stimulus, at: now)
            return now
        }
        wakeSignal.raise()
        return now
    }

    public func open(_ lines: [LineRequest]) throws(PanelError) {
        precondition(lines == plan.lines, "the panel and its simulator are of one board")
    }

    public func isActive(_ line: Int) throws(PanelError) -> Bool {
        wiring.withLock { wiring in
            wiring.advance(to: MonotonicClock.now())
            return wiring.isActive(line)
        }
    }

    public func set(_ line: Int, active: Bool) throws(PanelError) {
        let now = MonotonicClock.now()
        wiring.withLock { $0.drive(line, active: active, at: now) }
        guard let part = plan.outputs.first(where: { $0.line == line })?.part else { return }
        let changed = lit.withLock { lit in active ? lit.insert(line).inserted : lit.remove(line) != nil }
        if changed { onOutput(SimulatedOutput(part: part, active: active, at: now)) }
    }

    public func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge] {
        let (hasEdges, next) = wiring.withLock { ($0.hasEdges, $0.deadline) }
        if !hasEdges { try wakeSignal.wait(with: [], until: [deadline, next].compactMap { $0 }.min()) }
        return wiring.withLock { wiring in
            wiring.advance(to: MonotonicClock.now())
            return wiring.takeEdges()
        }
    }

    public func wake() { wakeSignal.raise() }

    public func close() {}
}
