import Glibc
import Logging
import NIOCore

/// Tells the service manager that the phone is alive, as long as the control loop, on which this runs, and the sound
/// threads are alive. Otherwise the service manager ends the phone and starts it again (`WatchdogSec=`).
/// - SeeAlso: sd_watchdog_enabled(3)
struct Watchdog: Sendable {
    private let notifier: SystemdNotifier
    private let period: TimeAmount

    /// Nil if the service manager does not watch this process.
    init?(_ notifier: SystemdNotifier?) {
        guard let notifier, let text = Environment["WATCHDOG_USEC"], let limit = Int64(text), limit > 0,
            Environment["WATCHDOG_PID"].map({ $0 == "\(getpid())" }) ?? true
        else { return nil }
        self.notifier = notifier
        // Three messages fit into the limit, so that a late one does not end calls.
        period = .microseconds(max(1_000, limit / 3))
    }

    /// - Parameter isAlive: Asked on the loop.
    func start(on loop: any EventLoop, log: Logger, isAlive: @escaping @Sendable () -> Bool) {
        loop.scheduleRepeatedTask(initialDelay: .zero, delay: period) { _ in
            guard isAlive() else {
                log.error("a thread of sound does not answer: the service manager is not told that the phone lives")
                return
            }
            do {
                try notifier.send("WATCHDOG=1", mayWait: false)
            } catch {
                log.warning("WATCHDOG=1 did not reach the service manager: \(error)")
            }
        }
    }
}
