import Base
import Glibc
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

/// The network thread: it sleeps until the kernel notifies it of a change, and then reads everything again.
///
/// It ignores the content of notifications, so it keeps no copy of the kernel's state, and a lost notification does no
/// harm.
struct PathWatch: Sendable {
    /// Limits the reading to fifty times a second: some neighbours cause notifications all the time, for example by
    /// endless router advertisements.
    private static let pause = Duration.milliseconds(20)
    /// The most notifications that are taken together.
    private static let burst = 1_024

    private let choice: PathChoice
    private let socket: NetlinkSocket
    private var surveyor: Surveyor
    private var told: NetworkPath?

    /// Subscribes to the kernel's notifications.
    init(_ choice: PathChoice) throws(SystemFailure) {
        self.choice = choice
        socket = try NetlinkSocket(groups: NetlinkSocket.Groups.network)
        surveyor = try Surveyor()
    }

    /// Asks the kernel for the path.
    /// - Returns: The path if it has changed.
    mutating func look() throws(SystemFailure) -> NetworkPath? {
        let path = choice.path(in: try surveyor.look())
        guard path != told else { return nil }
        told = path
        return path
    }

    /// Sleeps until the kernel notifies of a change, or until raised.
    /// - Returns: Whether there was a change.
    func wait(beside wake: WakeSignal) throws(SystemFailure) -> Bool {
        guard wake.wait(until: nil, beside: socket.descriptor) else { return false }
        // One read removes a message completely, however long it is.
        var beginning = [UInt8](repeating: 0, count: NetlinkFrame.headerBytes)
        var isChanged = false
        for _ in 0..<Self.burst {
            switch try socket.receive(into: &beginning, waits: false) {
            case .bytes, .overflow: isChanged = true
            case .nothing: break
            case .empty: return isChanged
            }
        }
        return isChanged
    }

    func rest() { MonotonicClock.sleep(Self.pause) }
}
