import Base
import Glibc

/// A UDP socket of a test's own on loopback. It reads only on request, and remembers the received messages.
public final class DatagramPeer {
    public enum Failure: Error, Equatable, Sendable {
        case socket(Int32)
        /// The awaited message did not come.
        case silence
    }

    public let host: String
    public let port: UInt16
    /// Each message once: over UDP it is repeated until it is answered.
    public private(set) var transcript: [[UInt8]] = []
    /// The port from which the last datagram came.
    public private(set) var sender: UInt16 = 0
    private let socket: Int32

    /// - Parameters:
    /// - host: Any address of the loopback network.
    /// - port: 0 takes one that is free.
    public init(host: String = "127.0.0.1", port: UInt16 = 0) throws {
        self.host = host
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failure.socket(errno) }
        var own = sockaddr_in.loopback(host, port: port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafeMutablePointer(to: &own) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        let fault = errno
        self.socket = socket
        self.port = UInt16(bigEndian: own.sin_port)
        guard bound else { throw Failure.socket(fault) }
    }

    deinit { close(socket) }

    /// Sends a datagram to a port of 127.0.0.1.
    public func say(_ bytes: [UInt8], to port: UInt16) throws {
        var far = sockaddr_in.loopback("127.0.0.1", port: port)
        let sent = unsafe withUnsafePointer(to: &far) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(socket, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard sent == bytes.count else { throw Failure.socket(errno) }
    }

    /// The next datagram; nil when none comes in time.
    public func hear(upTo limit: Duration = .seconds(5)) -> [UInt8]? {
        var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&ready, 1, Int32(limit.milliseconds)) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var far = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = unsafe withUnsafeMutablePointer(to: &far) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe recvfrom(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT), $0, &length)
            }
        }
        guard count >= 0 else { return nil }
        sender = UInt16(bigEndian: far.sin_port)
        let heard = Array(bytes[..<count])
        if !transcript.contains(heard) { transcript.append(heard) }
        return heard
    }

    /// All unread datagrams so far. On loopback a datagram is there when it has been sent.
    public func heardSoFar() -> [[UInt8]] {
        var all: [[UInt8]] = []
        while let next = hear(upTo: .zero) { all.append(next) }
        return all
    }
}
