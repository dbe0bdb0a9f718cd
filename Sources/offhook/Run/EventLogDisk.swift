import Glibc
import EventLog
import Platform

/// The event log's file and the previous one, whose name ends in `.1`. Owned by one thread.
///
/// Only the owner may read them. The log never replaces or follows any other file with one of these names.
struct EventLogDisk: ~Copyable {
    private let path: String
    private var file: FileDescriptor

    /// Keeps an existing event log as the previous one, and starts an empty one.
    init(path: String) throws(CommandError) {
        _ = try Self.size(ofReplaceable: path + ".1")
        switch try Self.size(ofReplaceable: path) {
        case nil: break
        // An empty file is left from a failed start. It must not displace the event log of the crash before it.
        case .some(0): _ = unsafe unlink(path)
        case .some: try Self.setAside(path)
        }
        self.init(path: path, file: try Self.begin(path))
    }

    // Swift 6.2 destroys a value twice when an initialiser of a noncopyable type fails. So this one cannot fail.
    private init(path: String, file: consuming FileDescriptor) {
        self.path = path
        self.file = file
    }

    mutating func perform(_ order: EventLogWriter.Order) throws(CommandError) {
        switch order {
        case .append(let bytes): try append(bytes)
        case .turnOver:
            try Self.setAside(path)
            file = try Self.begin(path)
        }
    }

    private static func setAside(_ path: String) throws(CommandError) {
        let older = path + ".1"
        guard unsafe rename(path, older) == 0 else { throw CommandError("\(older): \(SystemError.last)") }
    }

    private static func begin(_ path: String) throws(CommandError) -> FileDescriptor {
        try FileDescriptor(named: path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, mode: 0o600)
    }

    /// On a full disk, half a line remains at the end. A replay expects this, as after a crash.
    private func append(_ bytes: [UInt8]) throws(CommandError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe write(file.number, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CommandError("\(path): \(SystemError.last)") }
            written += count
        }
    }

    /// The size of an event log or an empty file; nil if the file does not exist.
    private static func size(ofReplaceable path: String) throws(CommandError) -> Int? {
        // Open without blocking, so that a named pipe cannot hold up the start.
        let opened = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        if opened < 0, errno == ENOENT { return nil }
        guard opened >= 0 else {
            throw CommandError(
                "\(path): \(errno == ELOOP ? "the event log must not be a symbolic link" : SystemError.last)")
        }
        let file = FileDescriptor(owning: opened)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw CommandError("\(path): \(SystemError.last)") }
        var start = [UInt8](repeating: 0, count: EventLogFormat.opening.count)
        guard status.st_mode & S_IFMT == S_IFREG, unsafe read(file.number, &start, start.count) >= 0,
            status.st_size == 0 || start == EventLogFormat.opening
        else { throw CommandError("\(path): not replaced, because it is no event log of a phone; name another file") }
        return Int(status.st_size)
    }
}
