import Base
import Bench
import Foundation
import Glibc
import Rig

/// Programs that connect to a phone's interface, ask, listen, stop in the middle or read nothing, and die. Some use
/// its socket, some HTTP, from a separate thread.
final class Crowd: Sendable {
    static let size = 1_000
    /// How many of them are connected at the same time.
    private static let together = 40
    /// A thousand during a conversation.
    private static let pause: UInt32 = 5_000

    private let path: String
    private let port: UInt16
    private let token: String
    private let finished = DispatchSemaphore(value: 0)

    init(socket path: String, port: UInt16, token: String, seed: UInt64) {
        (self.path, self.port, self.token) = (path, port, token)
        let thread = Thread {
            self.run(seed)
            self.finished.signal()
        }
        thread.name = "crowd"
        thread.start()
    }

    func wait() { finished.wait() }

    private func run(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var present: [Int32] = []
        for number in 0..<Self.size {
            let isLocal = number.isMultiple(of: 4)
            let client = isLocal ? local() : Self.overHTTP(port)
            Self.say((isLocal ? lines : requests).randomElement(using: &generator) ?? "", to: client)
            present.append(client)
            if present.count > Self.together {
                close(present.remove(at: Int.random(in: 0..<present.count, using: &generator)))
            }
            usleep(Self.pause)
        }
        for client in present { close(client) }
    }

    private var lines: [String] {
        let snapshot = #"{"jsonrpc":"2.0","id":1,"method":"getSnapshot"}"#
        let subscription = #"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#
        return [snapshot + "\n", subscription + "\n" + snapshot + "\n", snapshot, "[]\n{\n", ""]
    }

    private var requests: [String] {
        let head = "HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n"
        let body = #"{"jsonrpc":"2.0","id":1,"method":"getSnapshot"}"#
        let length = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return [
            "POST /rpc \(head)\(length)\(body)", "POST /rpc \(head)\(length)\(body.dropLast(9))",
            "GET /events \(head)\r\n", "GET / \(head)\r\n", "GET /panel.js \(head)\r\n", "GET /metrics \(head)\r\n",
            "GE",
        ]
    }

    private static func say(_ text: String, to client: Int32) {
        let bytes = Array(text.utf8)
        _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    private func local() -> Int32 {
        let client = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        Self.connect(client, to: &address)
        return client
    }

    /// Connections that stay: streams of events for as many as a token allows; the others begin a request.
    static func connections(_ count: Int, port: UInt16, token: String) -> [Int32] {
        let stream = "GET /events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n\r\n"
        return (0..<count).map { number in
            let client = overHTTP(port)
            say(number < 60 ? stream : "GET / HTTP/1.1\r\n", to: client)
            return client
        }
    }

    private static func overHTTP(_ port: UInt16) -> Int32 {
        let client = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in.loopback("127.0.0.1", port: port)
        connect(client, to: &address)
        return client
    }

    /// Connections without a place are rejected, as many as intended.
    private static func connect<Address>(_ client: Int32, to address: inout Address) {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.connect(client, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
