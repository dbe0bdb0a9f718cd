import Glibc

/// A file that grows by whole pieces: a piece that the disk does not take whole is taken back, so that what is there can
/// be read. For its owner only (0600). Owned by one thread.
package struct RecordingFile: ~Copyable {
    /// Files that were begun in the same second.
    private static let attempts = 9

    package let path: String
    private let descriptor: Int32
    /// Of all whole pieces.
    package private(set) var size = 0

    /// Makes the folder, if it is not there, and a new file in it.
    package init(folder: String, name: RecordingName, suffix: String) throws(MediaError) {
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system("the folder of recordings \(folder) cannot be made", errno)
        }
        for attempt in 1...Self.attempts {
            let path = folder + "/" + name.text(suffix: suffix, attempt: attempt)
            let descriptor = unsafe open(
                path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
            if descriptor >= 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            guard errno == EEXIST, attempt < Self.attempts else {
                throw .system("the recording \(path) cannot be begun", errno)
            }
        }
        preconditionFailure("the last attempt throws")
    }

    deinit { close(descriptor) }

    package mutating func append(_ bytes: [UInt8]) throws(MediaError) {
        do throws(MediaError) {
            try write(bytes, at: size)
            size += bytes.count
        } catch {
            // Less is always to be had.
            _ = ftruncate(descriptor, size)
            throw error
        }
    }

    /// Writes over the beginning, which is as long as it was.
    package mutating func rewriteOpening(_ bytes: [UInt8]) throws(MediaError) {
        precondition(bytes.count <= size, "a beginning is there")
        try write(bytes, at: 0)
    }

    /// Returns when the disk has it all.
    package mutating func settle() throws(MediaError) {
        guard fsync(descriptor) == 0 else { throw failure }
    }

    private var failure: MediaError { .system("the recording \(path) cannot go on", errno) }

    private func write(_ bytes: [UInt8], at start: Int) throws(MediaError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe pwrite(descriptor, rest.baseAddress, rest.count, start + written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure }
            written += count
        }
    }
}
