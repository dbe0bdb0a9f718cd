import Platform
import Synchronization

/// Threads that end together.
final class ThreadGroup: Sendable {
    private let stop: StopFlag
    private let wakes: [WakeSignal]
    private let threads = Mutex<[NamedThread]>([])

    init(stop: StopFlag, wakes: [WakeSignal]) {
        self.stop = stop
        self.wakes = wakes
    }

    func start(_ role: ThreadRole, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        do throws(SystemFailure) {
            let thread = try NamedThread(role, body: body)
            threads.withLock { $0.append(thread) }
        } catch {
            throw MediaError(error)
        }
    }

    /// Starts a thread that ends with the others, but for which nobody waits.
    func startDetached(_ role: ThreadRole, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        do throws(SystemFailure) { try NamedThread(role, body: body).detach() } catch { throw MediaError(error) }
    }

    /// Returns when all have ended. A second call does nothing.
    func end() {
        stop.raise()
        for wake in wakes { wake.raise() }
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in ending { thread.join() }
    }
}
