import Platform
import Synchronization

/// What is to ring, from the control thread to the thread that plays it. There are no messages, because only the newest
/// order counts and none may get lost: without an order for silence the phone would ring for ever.
final class RingOrder: Sendable {
    private let newest = Mutex(RingSound.nothing)
    /// Counts orders, so that the thread that plays detects a new one without the lock. The silence at the beginning
    /// counts as an order: a thread's first attempt at a lock allocates, and in this way it happens before a call runs.
    private let orders = Atomic<Int>(1)
    /// Wakes the thread that plays.
    let wake: WakeSignal

    init(wake: WakeSignal) { self.wake = wake }

    func give(_ sound: RingSound) {
        newest.withLock { $0 = sound }
        orders.wrappingAdd(1, ordering: .releasing)
        wake.raise()
    }

    /// The newest order if it came after the one that `last` counts. It never waits. An order that is being given at
    /// the same time is taken at the wake-up that follows it.
    func take(after last: inout Int) -> RingSound? {
        let count = orders.load(ordering: .acquiring)
        guard count != last, let sound = newest.withLockIfAvailable({ $0 }) else { return nil }
        last = count
        return sound
    }
}
