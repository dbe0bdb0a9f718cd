import Glibc
import Platform

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
