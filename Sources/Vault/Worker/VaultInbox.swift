import Base
import PhoneCore
import Platform
import Synchronization

/// The changes and questions that wait for the vault: the control thread puts them in, and the vault's thread takes them
/// out.
final class VaultInbox: Sendable {
    private struct Contents {
        var queue: BoundedQueue<VaultWork>
        var isClosed = false
    }

    let capacity: Int
    private let contents: Mutex<Contents>
    private let wakeSignal: WakeSignal
    /// Whether the vault's thread works. It waits for the disk.
    let probe: ThreadProbe

    init(capacity: Int) {
        self.capacity = capacity
        let signal = WakeSignal.atStart()
        wakeSignal = signal
        probe = ThreadProbe(.vault) { signal.raise() }
        // Nothing is repeatable, because no later change repeats what an earlier one says.
        contents = Mutex(Contents(queue: BoundedQueue(capacity: capacity)))
    }

    /// False when full or closed.
    func put(_ work: VaultWork) -> Bool {
        let admitted = contents.withLock { contents in
            !contents.isClosed && contents.queue.push(work) == .queued
        }
        wakeSignal.raise()
        return admitted
    }

    func close() {
        contents.withLock { $0.isClosed = true }
        wakeSignal.raise()
    }

    /// Waits until there is something to do. A question of the watchdog is answered, and nothing else is done for it.
    func wait(atMost limit: Duration?) {
        let end = limit.map { MonotonicClock.now() + $0 }
        repeat {
            wakeSignal.wait(until: end)
            probe.answer()
        } while !hasWork && end.map { MonotonicClock.now() < $0 } ?? true
    }

    private var hasWork: Bool { contents.withLock { $0.isClosed || !$0.queue.isEmpty } }

    /// Takes at most `limit` of what waits; all of it once closed.
    func take(atMost limit: Int) -> (work: [VaultWork], isClosed: Bool) {
        contents.withLock { contents in
            var work: [VaultWork] = []
            while contents.isClosed || work.count < limit, let next = contents.queue.pop() { work.append(next) }
            return (work, contents.isClosed)
        }
    }
}
