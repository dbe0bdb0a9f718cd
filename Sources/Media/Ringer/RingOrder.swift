import Platform
import Synchronization

/// What is to ring, from the control thread to the thread that plays it. No messages, because the newest order is all
/// that counts and none may get lost: a lost silence would ring for ever.
final class RingOrder: Sendable {
    private let newest = Mutex(RingSound.nothing)
    /// Counts orders, so that whoever plays sees at a glance that there is a new one. The silence at first is one: a
    /// thread's first try at a lock asks the heap, and so that is done before a call runs.
    private let orders = Atomic<Int>(1)
    /// Whom it wakes sleeps by this.
    let wake: WakeSignal

    init(wake: WakeSignal) { self.wake = wake }

    func give(_ sound: RingSound) {
        newest.withLock { $0 = sound }
        orders.wrappingAdd(1, ordering: .releasing)
        wake.raise()
    }

    /// The newest order if it came after the one that `last` counts. Never waits: one that is just being given is taken
    /// at the wake-up that follows it.
    func take(after last: inout Int) -> RingSound? {
        let count = orders.load(ordering: .acquiring)
        guard count != last, let sound = newest.withLockIfAvailable({ $0 }) else { return nil }
        last = count
        return sound
    }
}
