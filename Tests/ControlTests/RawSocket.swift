import Control
import Glibc
import JSON

/// A connection that sends exactly a test's bytes, valid or not.
final class RawSocket {
    private let descriptor: Int32
    private var received: [UInt8] = []

    init(path: String) throws {
        descriptor = Self.made(AF_UNIX)
        guard unsafe Self.withAddress(path, { unsafe connect(descriptor, $0, $1) }) == 0 else {
            throw Failure(errno: errno)
        }
    }

    /// A connection over TCP to a port of this machine.
    init(port: UInt16) throws {
        descriptor = Self.made(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(errno: errno) }
    }

    private static func made(_ family: Int32) -> Int32 {
        let made = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        unsafe setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        return made
    }

    struct Failure: Error { let errno: Int32 }

    deinit { _ = Glibc.close(descriptor) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// Sends as much as the far end accepts, until it accepts no more; the number of bytes.
    func sendWhatIsTaken(of bytes: [UInt8]) -> Int {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        var rest = bytes[...]
        while !rest.isEmpty {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&entry, 1, 500) == 1 else { break }
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
            }
            guard sent > 0 else { break }
            rest = rest.dropFirst(sent)
        }
        return bytes.count - rest.count
    }

    func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next line as JSON; nil at the end of the stream.
    func receive() throws -> JSONValue? {
        try receiveLine().map { try JSONValue(parsing: $0) }
    }

    /// The next line without its end; nil at the end of the stream.
    func receiveLine() throws -> [UInt8]? {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeFirst(end + 1) }
                return Array(received[..<end])
            }
            guard try receiveMore() else { return nil }
        }
    }

    /// That many bytes; fewer at the end of the stream.
    func receive(bytes count: Int) throws -> [UInt8] {
        while received.count < count { guard try receiveMore() else { break } }
        let taken = min(count, received.count)
        defer { received.removeFirst(taken) }
        return Array(received[..<taken])
    }

    /// - Returns: False at the end of the stream.
    private func receiveMore() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        if count < 0 && errno != ECONNRESET { throw Failure(errno: errno) }
        guard count > 0 else { return false }
        received += buffer[..<count]
        return true
    }

    static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// A listening socket at the path that never accepts.
    static func listener(path: String) -> Int32 {
        let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        precondition(unsafe withAddress(path) { unsafe bind(made, $0, $1) } == 0, "the path is free")
        precondition(listen(made, 4) == 0, "a bound socket listens")
        return made
    }
}
