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
