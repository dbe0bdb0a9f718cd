import PhoneCore
import Synchronization

/// Orders from other threads to the panel's thread: the newest order for each part, and at the end the order to stop.
///
/// It cannot overflow: an order for a lamp, a relay or the bell is a state and not a step, so a newer order replaces an
/// older one.
final class PanelOrders: Sendable {
    private struct Box {
        var orders: [PanelOutput: PanelEffect] = [:]
        var stopped = false
    }

    private let box = Mutex(Box())

    func add(_ effect: PanelEffect) {
        box.withLock { $0.orders[effect.part] = effect }
    }

    func stop() { box.withLock { $0.stopped = true } }

    /// - Returns: The orders since the last call, in any order; nil if the thread has to stop.
    func take() -> [PanelEffect]? {
        box.withLock { box in
            guard !box.stopped else { return nil }
            defer { box.orders = [:] }
            return Array(box.orders.values)
        }
    }
}
