import Glibc
import Platform

/// The output for a decrypted recording: a new file for its owner only, or standard output.
final class RecordingOutput {
    private let path: String
    private let descriptor: Int32

    init(path: String) throws(CommandError) {
        self.path = path
        guard path != "-" else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw CommandError("\(path): \(SystemError.last)") }
    }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CommandError("\(path): \(SystemError.last)") }
            written += count
        }
    }

    /// Called once, at the end.
    func close() throws(CommandError) {
        guard path == "-" || Glibc.close(descriptor) == 0 else { throw CommandError("\(path): \(SystemError.last)") }
    }
}
