import Base
import Bench
import Foundation
import Glibc

/// Asks a server or a phone on loopback by OPTIONS whether it, or who stands before the `@`, is there.
public final class Inquiry {
    public struct Failure: Error {}

    /// Whoever is not known is answered with no more bytes than he sent.
    private static let agent = String(repeating: "inquiry ", count: 32)

    private let socket: Int32
    private let port: UInt16

    public init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.port = port
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure() }
    }

    deinit { close(socket) }

    /// The status of the answer; nil when there was none in time.
    public func status(of address: String, upTo limit: Duration) -> Int? {
        let end = MonotonicTime.now + limit
        let branch = "z9hG4bK\(UInt64.random(in: .min ... .max))"
        let request = """
            OPTIONS sip:\(address) SIP/2.0\r
            Via: SIP/2.0/UDP 127.0.0.1;rport;branch=\(branch)\r
            Max-Forwards: 5\r
            From: <sip:test@127.0.0.1>;tag=\(branch)\r
            To: <sip:\(address)>\r
            Call-ID: \(branch)\r
            CSeq: 1 OPTIONS\r
            User-Agent: \(Self.agent)\r
            Content-Length: 0\r
            \r\n
            """
        // A port that nobody has opened yet refuses at once: then it is asked again.
        while MonotonicTime.now < end {
            _ = send(socket, request, request.utf8.count, 0)
            if let text = answer(upTo: .milliseconds(50)), text.contains(branch) {
                return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            }
        }
        return nil
    }

    private func answer(upTo limit: Duration) -> String? {
        var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, Int32(limit.milliseconds)) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
