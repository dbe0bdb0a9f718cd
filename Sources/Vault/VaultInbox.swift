import Base
import PhoneCore
import Platform
import Synchronization

/// What waits to be kept: put in by the control thread, taken out by the vault's.
final class VaultInbox: Sendable {
    private struct Contents {
        var queue: BoundedQueue<VaultEffect>
        var isClosed = false
    }

    let capacity: Int
    private let contents: Mutex<Contents>
    private let wakeSignal = WakeSignal.atStart()

    init(capacity: Int) {
        self.capacity = capacity
        // No effect is repeatable: each says something that no later one will.
        contents = Mutex(Contents(queue: BoundedQueue(capacity: capacity)))
    }

    /// False when full or closed.
    func put(_ effect: VaultEffect) -> Bool {
        let admitted = contents.withLock { contents in
            !contents.isClosed && contents.queue.push(effect) == .queued
        }
        wakeSignal.raise()
        return admitted
    }

    func close() {
        contents.withLock { $0.isClosed = true }
        wakeSignal.raise()
    }

    func wait(atMost limit: Duration?) { wakeSignal.wait(until: limit.map { MonotonicClock.now() + $0 }) }

    /// Takes what waits, at most `limit` of it; everything once closed.
    func take(atMost limit: Int) -> (effects: [VaultEffect], isClosed: Bool) {
        contents.withLock { contents in
            var effects: [VaultEffect] = []
            while contents.isClosed || effects.count < limit, let effect = contents.queue.pop() {
                effects.append(effect)
            }
            return (effects, contents.isClosed)
        }
    }
}
