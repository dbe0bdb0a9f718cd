import Base
import Glibc
import Platform

/// Files that only their owner may read. They are read as a whole, and written as a whole or not at all.
enum PrivateFile {
    /// Reads a regular file of at most `limit` bytes.
    /// - Parameter inspect: Checks the open file's status before reading, and may reject the file.
    static func read(
        _ path: String, limit: Int, inspect: (stat) throws(VaultError) -> Void = { (_) throws(VaultError) in }
    ) throws(VaultError) -> [UInt8] {
        // The file is opened without blocking, so that a named pipe in its place cannot block the start.
        let file = try openFile("open", path, flags: O_RDONLY | O_NONBLOCK)
        var status = stat()
        try systemCall("inspect", path) { unsafe Int(fstat(file.number, &status)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .system(operation: "read", path: path, code: EINVAL) }
        try inspect(status)
        // Files of /proc have no size until they are read.
        let size = max(Int(status.st_size), 64)
        guard size <= limit else { throw .tooLarge(path: path, bytes: size, limit: limit) }

        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let count = try systemCall("read", path) {
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    return unsafe Glibc.read(file.number, rest.baseAddress, rest.count)
                }
            }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(size - filled)
        return bytes
    }

    /// Creates a new file, and waits until it is on the disk.
    static func create(_ path: String, _ bytes: [UInt8]) throws(VaultError) {
        do {
            try write(path, bytes)
        } catch .system(let operation, let path, EEXIST) {
            throw .system(operation: operation, path: path, code: EEXIST)
        } catch {
            // A partial file is removed, because a reader would take it for complete.
            _ = unsafe unlink(path)
            throw error
        }
        try synchronizeDirectory(of: path)
    }

    /// Replaces the contents of `path`. After a power cut the file holds the old or the new contents, complete.
    ///
    /// Returns when both contents and name are on the disk. Cost: two `fsync`, which take about a millisecond on an
    /// SSD, and tens to hundreds of milliseconds on a memory card. The caller must be the only writer.
    static func replace(_ path: String, _ bytes: [UInt8]) throws(VaultError) {
        let fresh = path + ".new"
        // A killed writer may have left this file behind.
        _ = unsafe unlink(fresh)
        do {
            try write(fresh, bytes)
            try systemCall("rename", fresh) { unsafe Int(rename(fresh, path)) }
        } catch {
            _ = unsafe unlink(fresh)
            throw error
        }
        try synchronizeDirectory(of: path)
    }

    /// Removes a file, and waits until the disk has recorded it.
    static func remove(_ path: String) throws(VaultError) {
        try systemCall("remove", path) { unsafe Int(unlink(path)) }
        try synchronizeDirectory(of: path)
    }

    private static func write(_ path: String, _ bytes: [UInt8]) throws(VaultError) {
        let file = try openFile("create", path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        var written = 0
        while written < bytes.count {
            written += try systemCall("write", path) {
                unsafe bytes.withUnsafeBytes { buffer in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                    return unsafe Glibc.write(file.number, rest.baseAddress, rest.count)
                }
            }
        }
        try systemCall("sync", path) { Int(fsync(file.number)) }
    }

    private static func synchronizeDirectory(of path: String) throws(VaultError) {
        let parent = path.openedFolder
        let directory = try openFile("open", parent, flags: O_RDONLY | O_DIRECTORY)
        try systemCall("sync", parent) { Int(fsync(directory.number)) }
    }
}

/// The right to change one vault, for as long as this value lives. The kernel releases the lock of a dead process.
///
/// The lock is on a separate file beside the vault, because each change replaces the vault's file.
struct FileLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    init(vault path: String) throws(VaultError) {
        let name = path + ".lock"
        let file = try openFile("open", name, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        do {
            try systemCall("lock", name) { Int(flock(file.number, LOCK_EX | LOCK_NB)) }
        } catch .system(_, _, EWOULDBLOCK) {
            throw .locked(path: path)
        }
        self.file = file
    }

    /// Releases the lock explicitly, because a process that is being started may still share the descriptor.
    deinit { _ = flock(file.number, LOCK_UN) }
}

/// Repeats a system call after a signal interrupted it, and turns its failure into an error.
@discardableResult
func systemCall(_ operation: String, _ path: String, _ body: () -> Int) throws(VaultError) -> Int {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw VaultError(operation, path, code) }
    }
}

extension VaultError {
    /// The meaning of an `errno` for the operation that failed.
    fileprivate init(_ operation: String, _ path: String, _ code: Int32) {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull(path: path)
        default: self = .system(operation: operation, path: path, code: code)
        }
    }
}

/// Overwrites memory in a way that the optimiser keeps.
func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
}

/// Opens a file; the error names the operation.
func openFile(
    _ operation: String, _ path: String, flags: Int32, mode: mode_t = 0
) throws(VaultError) -> FileDescriptor {
    try FileDescriptor(path, flags, mode: mode) { VaultError(operation, path, $0) }
}
