import Glibc

/// The address of a Unix socket with a name in the file system.
struct UnixAddress: Sendable {
    /// The longest path in bytes. The kernel's field also holds a closing zero.
    static let maximumPathLength = 107

    private let path: [UInt8]

    /// Nil if the path is empty, too long, or contains a zero.
    init?(path: String) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.maximumPathLength, !bytes.contains(0) else { return nil }
        self.path = bytes
    }

    /// Calls `body` with the address in the system's form, and returns its result.
    func withSystemAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Makes a stream socket of this family that never blocks. Returns -1 on failure.
    static func makeSocket() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }
}
