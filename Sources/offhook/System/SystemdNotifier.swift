import Glibc

/// Tells systemd how the start goes: one datagram to the socket it named. Without systemd, nothing.
/// - SeeAlso: sd_notify(3)
struct SystemdNotifier: Sendable {
    private let path: String

    /// Nil when nobody asked to be notified.
    init?(environment name: String = "NOTIFY_SOCKET") {
        guard let value = unsafe getenv(name) else { return nil }
        path = unsafe String(cString: value)
        guard path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
    }

    func send(_ message: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        if name.first == UInt8(ascii: "@") { name[0] = 0 }  // An abstract socket.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = Array(message.utf8)
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), generic, length)
            }
        }
    }
}
