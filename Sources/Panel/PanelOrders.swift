import Base
import PhoneCore
import Platform
import Synchronization

/// Orders from other threads to the panel's thread: the newest order for each part, and in the end the order to stop.
///
/// It cannot overflow: an order for a lamp, a relay or the bell is a state, so a newer order replaces an older one.
final class PanelOrders: Sendable {
    private struct Box {
        /// The newest order of each part.
        var orders: [PanelOutput: PanelEffect] = [:]
        /// The parts whose newest order the thread has not taken yet.
        var fresh: Set<PanelOutput> = []
        var stopped = false
    }

    private let box = Mutex(Box())
    /// Wakes the thread while it has no lines: to stop, or to answer the probe.
    private let signal = WakeSignal.atStart()
    /// Whether the thread still takes its orders.
    let probe: ThreadProbe

    /// - Parameter wake: Wakes the thread while it has lines.
    init(wake: @escaping @Sendable () -> Void) {
        probe = ThreadProbe(.panel) { [signal] in
            signal.raise()
            wake()
        }
    }

    func add(_ effect: PanelEffect) {
        box.withLock { box in
            box.orders[effect.part] = effect
            box.fresh.insert(effect.part)
        }
    }

    func stop() {
        box.withLock { $0.stopped = true }
        signal.raise()
    }

    private var isStopped: Bool { box.withLock { $0.stopped } }

    /// Blocks until the deadline or until the thread must stop.
    /// - Returns: Whether it may go on.
    func sleep(until deadline: Instant) -> Bool {
        while !isStopped, MonotonicClock.now() < deadline {
            signal.wait(until: deadline)
            probe.answer()
        }
        return !isStopped
    }

    /// Makes `take` return the newest order of each part again.
    func repeatAll() { box.withLock { $0.fresh = Set($0.orders.keys) } }

    /// - Returns: The orders since the last call, in any order; nil if the thread must stop.
    func take() -> [PanelEffect]? {
        probe.answer()
        return box.withLock { box in
            guard !box.stopped else { return nil }
            defer { box.fresh = [] }
            return box.fresh.compactMap { box.orders[$0] }
        }
    }
}
