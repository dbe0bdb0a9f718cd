import Base
import Glibc
import PhoneCore
import Platform

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
