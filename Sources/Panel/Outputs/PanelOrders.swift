import Base
import PhoneCore
import Platform
import Synchronization

/// Orders from other threads to the panel's thread: the newest order for each part, and at the end the order to stop.
///
/// It cannot overflow: an order for a lamp, a relay or the bell is a state and not a step, so a newer order replaces an
/// older one.
final class PanelOrders: Sendable {
    private struct Box {
        /// Those that the thread has not taken yet.
        var orders: [PanelOutput: PanelEffect] = [:]
        /// The newest of each part.
        var newest: [PanelOutput: PanelEffect] = [:]
        var stopped = false
    }

    private let box = Mutex(Box())
    private let stopSignal = WakeSignal.atStart()

    func add(_ effect: PanelEffect) {
        box.withLock { box in
            box.orders[effect.part] = effect
            box.newest[effect.part] = effect
        }
    }

    func stop() {
        box.withLock { $0.stopped = true }
        stopSignal.raise()
    }

    var isStopped: Bool { box.withLock { $0.stopped } }

    /// Blocks until the deadline or until the thread has to stop.
    /// - Returns: Whether it may go on.
    func sleep(until deadline: Instant) -> Bool {
        if !isStopped { stopSignal.wait(until: deadline) }
        return !isStopped
    }

    /// Has the newest order of each part taken once more.
    func repeatAll() { box.withLock { $0.orders = $0.newest } }

    /// - Returns: The orders since the last call, in any order; nil if the thread has to stop.
    func take() -> [PanelEffect]? {
        box.withLock { box in
            guard !box.stopped else { return nil }
            defer { box.orders = [:] }
            return Array(box.orders.values)
        }
    }
}
