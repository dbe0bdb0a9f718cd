import Glibc
import Platform

extension FileDescriptor {
    /// Opens a file that a person named.
    init(named path: String, _ flags: Int32, mode: mode_t = 0) throws(CommandError) {
        try self.init(path, flags, mode: mode) { CommandError("\(path): \(SystemError.text($0))") }
    }
}
