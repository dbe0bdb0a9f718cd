import Platform
import Synchronization

/// The sound to ring, from the control thread to the thread that plays it. It is not a message, because only the newest
/// order counts. None may be lost: without the order for silence the phone would ring for ever.
final class RingOrder: Sendable {
    private let newest = Mutex(RingSound.nothing)
    /// Counts orders, so that the playing thread detects a new one without the lock. The initial silence counts as an
    /// order: a thread's first attempt at a lock allocates, and this makes that happen before a call runs.
    private let orders = Atomic<Int>(1)
    /// Wakes the playing thread.
    let wake: WakeSignal

    init(wake: WakeSignal) { self.wake = wake }

    func give(_ sound: RingSound) {
        newest.withLock { $0 = sound }
        orders.wrappingAdd(1, ordering: .releasing)
        wake.raise()
    }

    /// The newest order, if it is newer than the one that `last` counts. Never blocks. If another thread is giving an
    /// order at the same time, its wake-up brings the order.
    func take(after last: inout Int) -> RingSound? {
        let count = orders.load(ordering: .acquiring)
        guard count != last, let sound = newest.withLockIfAvailable({ $0 }) else { return nil }
        last = count
        return sound
    }
}
