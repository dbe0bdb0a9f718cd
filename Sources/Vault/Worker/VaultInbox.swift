import Base
import PhoneCore
import Platform
import Synchronization

/// The queue of changes and questions from the control thread to the vault's thread.
final class VaultInbox: Sendable {
    private struct Contents {
        var queue: BoundedQueue<VaultWork>
        var isClosed = false
    }

    let capacity: Int
    private let contents: Mutex<Contents>
    private let wakeSignal: WakeSignal
    /// Probes whether the vault's thread works. It waits for the disk.
    let probe: ThreadProbe

    init(capacity: Int) {
        self.capacity = capacity
        let signal = WakeSignal.atStart()
        wakeSignal = signal
        probe = ThreadProbe(.vault) { signal.raise() }
        // No entry may replace another, because no later change repeats an earlier one.
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

    /// Waits until there is work. Answers the watchdog's probe without returning.
    func wait(atMost limit: Duration?) {
        let end = limit.map { MonotonicClock.now() + $0 }
        repeat {
            wakeSignal.wait(until: end)
            probe.answer()
        } while !hasWork && end.map { MonotonicClock.now() < $0 } ?? true
    }

    private var hasWork: Bool { contents.withLock { $0.isClosed || !$0.queue.isEmpty } }

    /// Takes at most `limit` entries; all of them once closed.
    func take(atMost limit: Int) -> (work: [VaultWork], isClosed: Bool) {
        contents.withLock { contents in
            var work: [VaultWork] = []
            while contents.isClosed || work.count < limit, let next = contents.queue.pop() { work.append(next) }
            return (work, contents.isClosed)
        }
    }
}
