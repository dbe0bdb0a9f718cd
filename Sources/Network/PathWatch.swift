import Base
import Glibc
import PhoneCore
import Platform

/// The network's thread: it sleeps until the kernel tells of a change, and then asks the kernel how things are.
///
/// What the kernel tells unasked is not looked at: only that it told something. So nothing has to be kept in step, and
/// what is lost when too much comes at once does not matter.
struct PathWatch: Sendable {
    /// Who has the kernel tell things all the time, such as a neighbour that sends router advertisements without end,
    /// has it asked no more than fifty times a second.
    private static let pause = Duration.milliseconds(20)
    /// Messages that are taken together.
    private static let burst = 1_024

    private let choice: PathChoice
    private let socket: NetlinkSocket
    private var surveyor: Surveyor
    private var told: NetworkPath?

    /// From now on the kernel tells of changes.
    init(_ choice: PathChoice) throws(SystemFailure) {
        self.choice = choice
        socket = try NetlinkSocket(groups: NetlinkSocket.Groups.network)
        surveyor = try Surveyor()
    }

    /// Asks the kernel for the path.
    /// - Returns: The path if it is another one than before.
    mutating func look() throws(SystemFailure) -> NetworkPath? {
        let path = choice.path(in: try surveyor.look())
        guard path != told else { return nil }
        told = path
        return path
    }

    /// Sleeps until the kernel tells of a change, or until raised.
    /// - Returns: Whether there was a change.
    func wait(beside wake: WakeSignal) throws(SystemFailure) -> Bool {
        guard wake.wait(until: nil, beside: socket.descriptor) else { return false }
        // A message is gone with the first read, however long it is.
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
