import Base
import PhoneCore
import Platform
import Synchronization

/// The adapter for the machine's network: it reads the kernel's links, addresses and routes, and reports the path.
///
/// It configures nothing, and sends only queries to the kernel. Between changes its thread sleeps.
public final class Network: Sendable {
    private let choice: PathChoice
    private let post: @Sendable (NetworkEvent) -> Void
    private let stirred: @Sendable () -> Void
    private let report: @Sendable (String) -> Void
    private let wake = WakeSignal.atStart()
    /// Shows whether the thread works.
    public let probe: ThreadProbe
    private let isClosed = Atomic(false)
    private let thread = Mutex<NamedThread?>(nil)

    /// - Parameters:
    ///   - addresses: The numeric addresses that the phone's sockets are bound to; 0.0.0.0 or :: means a whole family.
    ///   - post: Called in `start`, then on the thread. It gets every new path.
    ///   - stirred: Called after every change of links, addresses or routes. The path may be unchanged. In `start`,
    ///     then on the thread, at most fifty times a second.
    ///   - report: Called with a text for people when the kernel cannot be asked any more. No path is posted after it.
    public init(
        listening addresses: [String], post: @escaping @Sendable (NetworkEvent) -> Void,
        stirred: @escaping @Sendable () -> Void, report: @escaping @Sendable (String) -> Void
    ) {
        choice = PathChoice(listening: addresses)
        probe = ThreadProbe(.network) { [wake] in wake.raise() }
        (self.post, self.stirred, self.report) = (post, stirred, report)
    }

    /// Posts the path, and subscribes to the kernel's notifications. Call it once; it takes a millisecond.
    public func start() throws(SystemFailure) {
        var watch = try PathWatch(choice)
        try tell(&watch)
        let (first, wake) = (watch, wake)
        let made = try NamedThread(.network) { [self] in
            var watch = first
            do throws(SystemFailure) {
                while !isClosed.load(ordering: .acquiring) {
                    probe.answer()
                    guard try watch.wait(beside: wake) else { continue }
                    try tell(&watch)
                    watch.rest()
                }
            } catch {
                report("\(error)")
                probe.retire()
            }
        }
        thread.withLock { $0 = made }
    }

    private func tell(_ watch: inout PathWatch) throws(SystemFailure) {
        if let path = try watch.look() { post(.path(path)) }
        stirred()
    }

    /// Ends the thread.
    /// - Returns: False if it hangs and the deadline has passed.
    @discardableResult
    public func close(by deadline: Instant = MonotonicClock.now() + .seconds(10)) -> Bool {
        isClosed.store(true, ordering: .releasing)
        wake.raise()
        return thread.withLock { $0.take() }?.join(by: deadline) ?? true
    }
}
