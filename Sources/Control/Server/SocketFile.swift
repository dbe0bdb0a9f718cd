import Glibc
import Platform

/// The control socket's name in the file system, from bind to removal.
struct SocketFile: Equatable, Sendable {
    private let path: String
    /// Identifies the file that was created here, so that no other program's file is removed.
    private let device: dev_t
    private let inode: ino_t

    /// Creates a listening socket at the settings' path. Replaces a socket left by a crash, but not one at which a
    /// program answers. Never blocks, because a Unix socket connects at once or not at all.
    /// - Returns: The listening descriptor, which the caller closes, and its file.
    static func listen(_ settings: ControlSettings) throws(ControlError) -> (descriptor: Int32, file: SocketFile) {
        let path = settings.path
        guard let address = UnixAddress(path: path) else {
            throw .pathTooLong(path, limit: UnixAddress.maximumPathLength)
        }
        try removeStale(path, address)
        let descriptor = UnixAddress.makeSocket()
        try check(descriptor, "socket", path)
        let socket = FileDescriptor(owning: descriptor)
        // On Linux the file takes its mode from the descriptor, so it is private from the start.
        try check(fchmod(descriptor, 0o600), "fchmod", path)
        try check(unsafe address.withSystemAddress { unsafe bind(descriptor, $0, $1) }, "bind", path)
        do throws(ControlError) {
            if let group = settings.group {
                try check(unsafe chown(path, uid_t.max, group), "chown", path)
                try check(unsafe chmod(path, 0o660), "chmod", path)
            }
            try check(Glibc.listen(descriptor, Int32(settings.maximumConnections)), "listen", path)
            let file = try SocketFile(path)
            return (socket.release(), file)
        } catch {
            _ = unsafe unlink(path)
            throw error
        }
    }

    private init(_ path: String) throws(ControlError) {
        var status = stat()
        try Self.check(unsafe lstat(path, &status), "lstat", path)
        (self.path, device, inode) = (path, status.st_dev, status.st_ino)
    }

    /// Removes the file, if it is still the one that was created here. A missing file is no error.
    func remove() {
        if let now = try? SocketFile(path), now == self { _ = unsafe unlink(path) }
    }

    private static func removeStale(_ path: String, _ address: UnixAddress) throws(ControlError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .system(call: "lstat", path: path, errno: errno) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        let descriptor = UnixAddress.makeSocket()
        try check(descriptor, "socket", path)
        let probe = FileDescriptor(owning: descriptor)
        let result = unsafe address.withSystemAddress { unsafe connect(probe.number, $0, $1) }
        let failure = errno
        // EAGAIN: a program is listening, but its queue of connections is full.
        guard result != 0, failure != EAGAIN else { throw .inUse(path) }
        switch failure {
        case ECONNREFUSED: try check(unsafe unlink(path), "unlink", path)
        case ENOENT: return
        default: throw .system(call: "connect", path: path, errno: failure)
        }
    }

    private static func check(_ result: Int32, _ call: String, _ path: String) throws(ControlError) {
        guard result >= 0 else { throw .system(call: call, path: path, errno: errno) }
    }
}

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

/// The user and groups of the program at the other end of a Unix socket. The kernel recorded them at the connection.
struct PeerCredentials: Equatable, Sendable {
    let user: UInt32
    let groups: [UInt32]

    /// The credentials of this process.
    static let own = PeerCredentials(user: geteuid(), groups: [])

    private init(user: UInt32, groups: [UInt32]) { (self.user, self.groups) = (user, groups) }

    /// Nil if the kernel does not report them.
    init?(descriptor: Int32) {
        // struct ucred: process, user, group. Swift cannot import its declaration.
        guard let credentials = Self.option(SO_PEERCRED, of: descriptor, capacity: 3), credentials.count == 3 else {
            return nil
        }
        user = credentials[1]
        // Linux reports further groups since 4.13. Without them only the first group counts.
        groups = [credentials[2]] + (Self.option(SO_PEERGROUPS, of: descriptor, capacity: 1_024) ?? [])
    }

    func mayUse(_ settings: ControlSettings) -> Bool {
        if user == settings.user ?? geteuid() { return true }
        if user == 0 && settings.allowsRoot { return true }
        return settings.group.map(groups.contains) ?? false
    }

    private static func option(_ name: Int32, of descriptor: Int32, capacity: Int) -> [UInt32]? {
        var numbers = [UInt32](repeating: 0, count: capacity)
        var length = socklen_t(capacity * MemoryLayout<UInt32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, name, &numbers, &length) == 0 else { return nil }
        return Array(numbers.prefix(Int(length) / MemoryLayout<UInt32>.size))
    }
}
