import Base
import Glibc
import SIPCore

/// A UDP socket on the loopback address, connected to another one.
final class Wire {
    let endpoint: Flow.Endpoint
    private let socket: Int32
    private var buffer = [UInt8](repeating: 0, count: SIPLimits.message)

    init() throws {
        let made = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = Self.loopback(port: 0)
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = Self.withPointer(&address) { bind(made, $0, count) }
        let asked = Self.withPointer(&address) { getsockname(made, $0, &count) }
        guard made >= 0, bound == 0, asked == 0 else { throw Mistake("no UDP socket") }
        socket = made
        endpoint = Flow.Endpoint("127.0.0.1", UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }

    func connect(to other: Wire) throws {
        var address = Self.loopback(port: other.endpoint.port)
        let count = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard Self.withPointer(&address, { Glibc.connect(socket, $0, count) }) == 0 else { throw Mistake("connect") }
    }

    func send(_ bytes: [UInt8]) throws {
        guard Glibc.send(socket, bytes, bytes.count, 0) == bytes.count else { throw Mistake("send") }
    }

    /// The next pending datagram; nil if nothing is pending.
    func receive() -> [UInt8]? {
        let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count >= 0 ? Array(buffer[..<count]) : nil
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withPointer<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
    }
}
