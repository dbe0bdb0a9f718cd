import Base
import Platform
import Synchronization

/// Threads that end together.
final class ThreadGroup: Sendable {
    private let stop: StopFlag
    private let wakes: [WakeSignal]
    private let threads = Mutex<[(role: ThreadRole, thread: NamedThread)]>([])

    init(stop: StopFlag, wakes: [WakeSignal]) {
        self.stop = stop
        self.wakes = wakes
    }

    func start(_ role: ThreadRole, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        do throws(SystemFailure) {
            let thread = try NamedThread(role, body: body)
            threads.withLock { $0.append((role, thread)) }
        } catch {
            throw MediaError(error)
        }
    }

    /// Starts a thread that ends with the others, but for which `end` does not wait.
    func startDetached(_ role: ThreadRole, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        do throws(SystemFailure) { try NamedThread(role, body: body).detach() } catch { throw MediaError(error) }
    }

    /// Returns when all have ended, or at the deadline. A second call does nothing.
    /// - Returns: The threads that hang.
    func end(by deadline: Instant) -> [ThreadRole] {
        stop.raise()
        for wake in wakes { wake.raise() }
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        return ending.compactMap { $0.thread.join(by: deadline) ? nil : $0.role }
    }
}
