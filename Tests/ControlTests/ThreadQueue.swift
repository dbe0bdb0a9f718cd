import Dispatch
import Synchronization

/// Hands values from the event loop to a test, in order, and lets the test wait for each.
final class ThreadQueue<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func put(_ value: Value) {
        values.withLock { $0.append(value) }
        arrived.signal()
    }

    /// Nil if nothing came within ten seconds.
    func take() -> Value? {
        guard arrived.wait(timeout: .now() + 10) == .success else { return nil }
        return values.withLock { $0.removeFirst() }
    }
}
