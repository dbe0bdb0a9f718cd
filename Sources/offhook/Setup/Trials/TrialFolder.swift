import Glibc
import Platform

/// A folder for the files of a trial phone. It is in memory, because it contains a vault and its key, and a disk would
/// keep deleted data.
final class TrialFolder {
    /// The folder's path, with the closing slash.
    let path: String
    private static let names = [
        "board.yaml", "offhook.yaml", "vault", "vault.lock", "vault.key", "control.sock", "last-board.yaml",
    ]

    init() throws(CommandError) {
        let runtime = Environment["XDG_RUNTIME_DIR"].map { [$0] } ?? []
        for parent in runtime + ["/dev/shm", "/run"] where MemoryFolder.contains(parent + "/offhook") {
            var template = Array((parent + "/offhook-setup-XXXXXX").utf8CString)
            guard unsafe mkdtemp(&template) != nil else { continue }
            path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/"
            return
        }
        throw CommandError("there is no folder in memory (/dev/shm) for the files of a trial phone")
    }

    deinit {
        for name in Self.names { _ = unsafe unlink(path + name) }
        _ = unsafe rmdir(path)
    }

    func write(_ text: String, to name: String) throws(CommandError) {
        _ = try FileChange(path: path + name, before: nil, after: text).write()
    }
}
