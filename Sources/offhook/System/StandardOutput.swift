import Glibc
import Platform

/// Standard output for readers that read while the program writes.
enum StandardOutput {
    /// - Throws: `CommandError` when what was printed cannot be written: a full disk, a reader that has gone.
    static func flush() throws(CommandError) {
        guard fflush(nil) == 0 else { throw CommandError("standard output: \(SystemError.last)") }
    }
}
