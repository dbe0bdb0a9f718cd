import PhoneCore
import Synchronization

/// What other threads want of the panel's: the newest order for each part, and in the end to stop.
///
/// It cannot overflow: lamps, relays and the bell are told states, not steps, so that a newer order replaces an older one.
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

    /// - Returns: What was ordered since the last call, in no order; nil when the thread is to stop.
    func take() -> [PanelEffect]? {
        box.withLock { box in
            guard !box.stopped else { return nil }
            defer { box.orders = [:] }
            return Array(box.orders.values)
        }
    }
}
