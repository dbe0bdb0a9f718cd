import Base
import PhoneCore
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

/// An action of a person at the simulated panel.
public enum PanelStimulus: Equatable, Sendable {
    case liftHook
    case replaceHook
    /// A key or a button, by its `Key.name`.
    case press(String)
    case release(String)
    /// Turns the dial and releases it: 1 to 25 pulses a second, usually 10. A dial that is still turning first jumps to
    /// its rest position.
    case dial(DTMFSymbol, pulsesPerSecond: Int)
    /// Sets a direct contact without bounce: `hook`, `buttons.` and a key's name, `inputs.` and an input's name,
    /// `dial.pulse` or `dial.off-normal`.
    case setLine(String, active: Bool)
}

/// How a contact bounces when it moves: it opens and closes at random times, then rests.
public struct ContactBounce: Equatable, Sendable {
    /// The longest time from the first touch to rest.
    public let duration: Duration
    /// How often it opens again before it rests: a random number from this range.
    public let breaks: ClosedRange<Int>

    /// - Precondition: `duration` is not negative and `breaks` lies in 0...100.
    public init(duration: Duration, breaks: ClosedRange<Int>) {
        precondition(duration >= .zero && breaks.lowerBound >= 0 && breaks.upperBound <= 100, "not a contact's bounce")
        self.duration = duration
        self.breaks = breaks
    }

    /// A worn hook switch.
    public static let typical = ContactBounce(duration: .milliseconds(5), breaks: 2...6)
    public static let none = ContactBounce(duration: .zero, breaks: 0...0)

    /// The times at which the contact moves, beginning with `start`. Their number is odd.
    func moves(from start: Instant, using generator: inout SeededGenerator) -> [Instant] {
        let breaks = duration == .zero ? 0 : Int.random(in: self.breaks, using: &generator)
        let chatter = (0..<2 * breaks).map { _ in
            start + .nanoseconds(Int64.random(in: 1...duration.nanoseconds, using: &generator))
        }
        return [start] + chatter.sorted()
    }
}

/// A lamp, a relay or the bell of the simulated panel went on or off.
public struct SimulatedOutput: Equatable, Sendable {
    public let part: PanelOutput
    public let active: Bool
    /// The time of the change on the monotonic clock.
    public let at: Instant
}
