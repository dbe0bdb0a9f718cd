import Glibc
import Platform

/// A file that grows by whole pieces. If the disk cannot store a whole piece, the piece is removed, so that the file
/// stays readable. Each piece is synced to the disk, so a power cut costs only the piece being written. Only the file's
/// owner has access (0600). Owned by one thread.
package struct RecordingFile: ~Copyable {
    /// Limit of files for one call that begin in the same second.
    private static let attempts = 9

    package let path: String
    private let file: FileDescriptor
    /// Nil: the file is not encrypted.
    private let stream: RecordingSeal.Stream?
    /// Bytes of all whole pieces, before they are sealed.
    package private(set) var size = 0
    /// Bytes in the file.
    private var written = 0
    private var chunks = 0

    /// Makes the folder, if it does not exist, and a new file in it.
    package init(
        folder: String, name: RecordingName, suffix: String, seal: RecordingSeal? = nil
    ) throws(MediaError) {
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system("the folder of recordings \(folder) cannot be made", errno)
        }
        let suffix = suffix + (seal.map { "." + $0.suffix } ?? "")
        let begun = try Self.begin(folder, name, suffix)
        path = begun.path
        file = FileDescriptor(owning: begun.descriptor)
        stream = seal?.begin()
    }

    package mutating func append(_ bytes: [UInt8]) throws(MediaError) { try append(bytes, isLast: false) }

    /// Appends the last piece, which may be empty.
    package mutating func finish(_ bytes: [UInt8]) throws(MediaError) { try append(bytes, isLast: true) }

    /// Overwrites the beginning with one of the same length. A sealed file is not changed: its reader knows its length.
    package mutating func rewriteOpening(_ bytes: [UInt8]) throws(MediaError) {
        precondition(bytes.count <= size, "a beginning is there")
        guard stream == nil else { return }
        try write(bytes, at: 0)
    }

    private mutating func append(_ bytes: [UInt8], isLast: Bool) throws(MediaError) {
        guard isLast || !bytes.isEmpty else { return }
        if let stream {
            // Counted before writing, so that no number is used twice, even if writing fails.
            defer { chunks += 1 }
            try put((chunks == 0 ? stream.opening : []) + stream.seal(bytes, chunks, isLast))
        } else {
            try put(bytes)
        }
        size += bytes.count
    }

    private mutating func put(_ bytes: [UInt8]) throws(MediaError) {
        do throws(MediaError) {
            try write(bytes, at: written)
            try settle()
            written += bytes.count
        } catch {
            // Truncates the file to its last whole part. This works on a full disk, too.
            _ = ftruncate(file.number, written)
            throw error
        }
    }

    /// Returns when all bytes are on the disk.
    private func settle() throws(MediaError) {
        guard fdatasync(file.number) == 0 else { throw failure }
    }

    private var failure: MediaError { .system("the recording \(path) cannot go on", errno) }

    private func write(_ bytes: [UInt8], at start: Int) throws(MediaError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe pwrite(file.number, rest.baseAddress, rest.count, start + written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure }
            written += count
        }
    }

    private static func begin(
        _ folder: String, _ name: RecordingName, _ suffix: String
    ) throws(MediaError) -> (path: String, descriptor: Int32) {
        for attempt in 1...attempts {
            let path = folder + "/" + name.text(suffix: suffix, attempt: attempt)
            let descriptor = unsafe open(
                path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
            if descriptor >= 0 { return (path, descriptor) }
            guard errno == EEXIST, attempt < attempts else {
                throw .system("the recording \(path) cannot be begun", errno)
            }
        }
        preconditionFailure("the last attempt throws")
    }
}
