import Glibc
import Platform

/// The right to change one vault, for as long as this value lives. The kernel takes it back from a dead process.
///
/// The lock is on a file of its own beside the vault, because each change puts another file in the vault's place.
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

    /// Gives the lock back even if a process that is just being started still shares the descriptor.
    deinit { _ = flock(file.number, LOCK_UN) }
}
