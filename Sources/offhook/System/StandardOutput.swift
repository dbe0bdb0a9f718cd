import Glibc
import Platform

/// Standard output, for readers that read while the program still writes.
enum StandardOutput {
    /// - Throws: `CommandError` when printed text cannot be written: a full disk, or a reader that is gone.
    static func flush() throws(CommandError) {
        guard fflush(nil) == 0 else { throw CommandError("standard output: \(SystemError.last)") }
    }
}
