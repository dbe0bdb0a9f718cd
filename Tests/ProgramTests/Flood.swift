import Base
import Bench
import Foundation
import Glibc
import Rig
import Synchronization

/// Datagrams to ports of this machine at an even pace, from a separate thread, until ended.
final class Flood: Sendable {
    private struct Progress {
        var isWanted = true
        var count = 0
        /// Datagrams per second, after the end.
        var rate: Int?
    }

    private let progress = Mutex(Progress())
    private let socket: Int32
    private let started = MonotonicTime.now
    private let finished = DispatchSemaphore(value: 0)

    struct Failure: Error {}

    /// - Parameters:
    ///   - source: An address of the loopback network.
    ///   - perSecond: A multiple of 1,000.
    ///   - datagram: The one with this number, and the port it goes to.
    init(
        from source: String, perSecond: Int, datagram: @escaping @Sendable (Int) -> (bytes: [UInt8], port: UInt16)
    ) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var own = sockaddr_in.loopback(source, port: 0)
        let bound = withUnsafePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0 else { throw Failure() }
        let thread = Thread { self.run(perSecond / 1_000, datagram) }
        thread.name = "flood"
        thread.start()
    }

    /// Ends it, if it has not ended.
    /// - Returns: How many went out a second.
    func stop() -> Int {
        if let rate = progress.withLock({ $0.rate }) { return rate }
        progress.withLock { $0.isWanted = false }
        finished.wait()
        close(socket)
        let milliseconds = (MonotonicTime.now - started).milliseconds
        return progress.withLock {
            let rate = $0.count * 1_000 / max(1, Int(milliseconds))
            $0.rate = rate
            return rate
        }
    }

    /// A burst each millisecond; a late one catches up.
    private func run(_ burst: Int, _ datagram: (Int) -> (bytes: [UInt8], port: UInt16)) {
        var number = 0
        var due = MonotonicTime.now
        while progress.withLock({ $0.isWanted }) {
            for _ in 0..<burst {
                let (bytes, port) = datagram(number)
                send(bytes, to: port)
                number += 1
            }
            progress.withLock { $0.count = number }
            due = due + .milliseconds(1)
            MonotonicTime.sleep(due - MonotonicTime.now)
        }
        finished.signal()
    }

    private func send(_ bytes: [UInt8], to port: UInt16) {
        var address = sockaddr_in.loopback("127.0.0.1", port: port)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(socket, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
