import Base
import Logging
import NIOCore
import Platform

/// Stops a running phone within the service manager's limit (`TimeoutStopSec=5`). This holds even if a library's
/// thread, a disk or the control loop hangs. Parts that still work end as usual.
struct PhoneStop {
    /// How long calls may take to end by BYE. With the steps that follow it stays below 2 s.
    private static let endOfCalls = TimeAmount.milliseconds(1_700)
    /// When the control loop counts as hanging.
    private static let loopLimit = Duration.milliseconds(2_200)
    private static let limit = Duration.milliseconds(4_200)

    let phone: Phone
    let loop: any EventLoop
    let log: Logger

    enum Outcome {
        case ended
        /// A thread hangs. The program must end without freeing anything that this thread may use.
        /// - Parameter isStored: Whether the vault has stored everything on its disk.
        case hanging(isStored: Bool)
    }

    /// Blocks for some milliseconds if nothing hangs and there is no call.
    func run() -> Outcome {
        let began = MonotonicClock.now()
        let loopWorks = endOnLoop(by: began + Self.loopLimit)
        if !loopWorks { log.error("the control loop does not answer, so calls may continue at the far end") }
        let hanging = phone.closeThreads(by: began + Self.limit)
        for thread in hanging { log.error("the thread \(thread.rawValue) hangs; the program ends without it") }
        return loopWorks && hanging.isEmpty ? .ended : .hanging(isStored: !hanging.contains(.vault))
    }

    /// Ends calls and registrations, then the adapters on the control loop.
    /// - Returns: False if the loop does not finish in time.
    private func endOnLoop(by deadline: Instant) -> Bool {
        let done = WakeSignal.atStart()
        let end = phone.stop(within: Self.endOfCalls).map { phone.closeLoopAdapters() }
        end.whenComplete { _ in done.raise() }
        done.wait(until: deadline)
        return MonotonicClock.now() < deadline
    }
}
