import Base
import Logging
import NIOCore
import Platform

/// Ends a running phone within the time that a service manager leaves it (`TimeoutStopSec=5`), whatever hangs: a thread in a
/// library, a disk, the control loop itself. What still works is ended as usual.
struct PhoneStop {
    /// How long calls may take to end by BYE. Together with the steps that follow it stays below 2 s.
    private static let endOfCalls = TimeAmount.milliseconds(1_700)
    /// When the control loop counts as hanging, and when all is given up.
    private static let loopLimit = Duration.milliseconds(2_200)
    private static let limit = Duration.milliseconds(4_200)

    let phone: Phone
    let loop: any EventLoop
    let log: Logger

    enum Outcome {
        case ended
        /// A thread hangs. The program must end without giving back what that thread may use.
        /// - Parameter isStored: Whether the vault has everything on its disk.
        case hanging(isStored: Bool)
    }

    /// Blocks for some milliseconds where nothing hangs and no call is up.
    func run() -> Outcome {
        let began = MonotonicClock.now()
        let loopWorks = endOnLoop(by: began + Self.loopLimit)
        if !loopWorks { log.error("the control loop does not answer: calls may not be ended at the far end") }
        let hanging = phone.closeThreads(by: began + Self.limit)
        for thread in hanging { log.error("the thread \(thread.rawValue) hangs and is left behind") }
        return loopWorks && hanging.isEmpty ? .ended : .hanging(isStored: !hanging.contains(.vault))
    }

    /// Ends calls and registrations, and then the adapters on the control loop.
    /// - Returns: False where the loop does not do that in time.
    private func endOnLoop(by deadline: Instant) -> Bool {
        let done = WakeSignal.atStart()
        let end = phone.stop(within: Self.endOfCalls).map { phone.closeLoopAdapters() }
        end.whenComplete { _ in done.raise() }
        done.wait(until: deadline)
        return MonotonicClock.now() < deadline
    }
}
