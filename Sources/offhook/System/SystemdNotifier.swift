import Glibc
import Platform

/// Reports the phone's state to systemd. Each message is one datagram to the socket that systemd named.
/// - SeeAlso: sd_notify(3)
struct SystemdNotifier: Sendable {
    /// How long a busy service manager may delay a datagram before the phone goes on without it.
    private static let timeout = timeval(tv_sec: 0, tv_usec: 100_000)

    private let path: String

    /// Nil when no service manager wants notifications.
    init?(environment name: String = "NOTIFY_SOCKET") {
        guard let path = Environment[name], !path.isEmpty else { return nil }
        self.path = path
    }

    /// Blocks for 100 ms at most, and not at all if `mayWait` is false.
    func send(_ message: String, mayWait: Bool = true) throws(CommandError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        guard path.hasPrefix("/") || path.hasPrefix("@"), name.count < MemoryLayout.size(ofValue: address.sun_path)
        else { throw CommandError("NOTIFY_SOCKET is not the path of a Unix socket: \(path)") }
        if name.first == UInt8(ascii: "@") { name[0] = 0 }  // An abstract socket.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw CommandError("\(path): \(SystemError.last)") }
        defer { close(descriptor) }
        var timeout = Self.timeout
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = Array(message.utf8)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let sent = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe sendto(
                    descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | (mayWait ? 0 : Int32(MSG_DONTWAIT)), generic,
                    length)
            }
        }
        guard sent == bytes.count else { throw CommandError("\(path): \(SystemError.last)") }
    }
}
