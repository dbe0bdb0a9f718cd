import Base
import PhoneCore
import Platform
import Synchronization

/// The changes that wait for the vault: the control thread puts them in, and the vault's thread takes them out.
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
        // No effect is repeatable, because no later effect repeats what an earlier one says.
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

    /// Takes at most `limit` of the waiting effects; all of them once closed.
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
