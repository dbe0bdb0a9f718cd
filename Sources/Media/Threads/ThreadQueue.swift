import Base
import Platform
import Synchronization

/// Messages from exactly one thread to exactly one other, which each message wakes.
///
/// `send` and `receive` are wait-free and allocate nothing.
final class ThreadQueue<Message: BitwiseCopyable & Sendable>: Sendable {
    private let ring: SPSCRing<Message?>
    private let wake: WakeSignal

    init(capacity: Int, wake: WakeSignal) {
        ring = SPSCRing(capacity: capacity, filler: nil)
        self.wake = wake
    }

    /// False when the queue is full; the sender counts or reports that.
    func send(_ message: Message) -> Bool {
        let isSent = ring.push(message)
        wake.raise()
        return isSent
    }

    func receive() -> Message? { ring.pop() ?? nil }
}
