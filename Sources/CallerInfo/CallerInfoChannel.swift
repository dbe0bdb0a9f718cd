import Base
import CallerInfoCore
import PhoneCore
import Platform
import Synchronization

/// The adapter for caller info: one MQTT connection to a broker, driven by its own thread.
///
/// The thread posts one message, and waits until the phone has dealt with it (`settle`). Only then is the message
/// acknowledged, so a crash in between makes the broker send it again.
public final class CallerInfoChannel: Sendable {
    public let settings: BrokerSettings
    let post: @Sendable (CallerInfoEvent) -> Void
    let report: @Sendable (CallerInfoReport) -> Void
    let wake = WakeSignal.atStart()
    let isClosed = Atomic(false)
    /// The thread is in the C library's name resolution, which nothing can interrupt.
    let isResolving = Atomic(false)
    /// The ticket of the last event that the phone has dealt with.
    private let settled = Atomic<UInt32>(0)
    /// Whether the network has changed since the thread looked last.
    let isStirred = Atomic(false)
    let state = Mutex(CallerInfoStatistics())
    private let thread = Mutex<NamedThread?>(nil)

    /// - Parameters:
    ///   - post: Called on the thread, with one event at a time. The receiver calls `settle` with its ticket.
    ///   - report: Called on the thread.
    public init(
        _ settings: BrokerSettings, post: @escaping @Sendable (CallerInfoEvent) -> Void,
        report: @escaping @Sendable (CallerInfoReport) -> Void
    ) {
        (self.settings, self.post, self.report) = (settings, post, report)
    }

    /// Starts the thread, which loads the library and connects.
    public func start() throws(SystemFailure) {
        let made = try NamedThread(.callerInfo) { [self] in ChannelLoop(self).run() }
        thread.withLock { $0 = made }
    }

    /// The phone has dealt with the event that has this ticket. Never blocks, from any thread.
    public func settle(_ ticket: UInt32) {
        settled.store(ticket, ordering: .releasing)
        wake.raise()
    }

    /// Connects at once if the thread waits between two attempts. Never blocks, from any thread.
    public func networkStirred() {
        isStirred.store(true, ordering: .releasing)
        wake.raise()
    }

    public var statistics: CallerInfoStatistics { state.withLock { $0 } }

    /// Says goodbye to the broker and ends the thread. A thread that waits for DNS ends with the process.
    /// - Returns: False if the thread hangs and the deadline has passed.
    @discardableResult
    public func close(by deadline: Instant = MonotonicClock.now() + .seconds(10)) -> Bool {
        isClosed.store(true, ordering: .releasing)
        wake.raise()
        let hasEnded = thread.withLock { $0.take() }?.join(by: deadline) ?? true
        return hasEnded || isResolving.load(ordering: .acquiring)
    }

    /// Waits on the thread until the phone has dealt with the event that has this ticket.
    /// - Returns: False if it has not by the deadline, or if the channel closes.
    func waitUntilSettled(_ ticket: UInt32, by deadline: Instant) -> Bool {
        while settled.load(ordering: .acquiring) != ticket {
            guard !isClosed.load(ordering: .acquiring), MonotonicClock.now() < deadline else { return false }
            wake.wait(until: deadline)
        }
        return true
    }
}
