import PhoneCore
import Synchronization

/// What other threads want of the panel's: the newest order for each part, and in the end to stop.
///
/// It cannot overflow: a lamp and a bell are told states, not steps, so that a newer order replaces an older one.
final class PanelOrders: Sendable {
    private struct Box {
        var lamps: [Lamp: LampPattern] = [:]
        var ringer: PanelEffect?
        var stopped = false
    }

    private let box = Mutex(Box())

    func add(_ effect: PanelEffect) {
        box.withLock { box in
            switch effect {
            case .lamp(let lamp, let pattern): box.lamps[lamp] = pattern
            case .ringer: box.ringer = effect
            }
        }
    }

    func stop() { box.withLock { $0.stopped = true } }

    /// - Returns: What was ordered since the last call, the bell first; nil when the thread is to stop.
    func take() -> [PanelEffect]? {
        box.withLock { box in
            guard !box.stopped else { return nil }
            defer { box = Box() }
            return [box.ringer].compactMap { $0 } + box.lamps.map { .lamp($0.key, $0.value) }
        }
    }
}
