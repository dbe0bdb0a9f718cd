import Glibc
import Platform

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
