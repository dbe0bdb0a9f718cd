import Base
import Glibc
import Platform
import YAML

/// A new text for a file, and its present text.
package struct FileChange: Equatable, Sendable {
    package let path: String
    /// Nil: the file does not exist.
    package let before: String?
    package let after: String

    package init(path: String, before: String?, after: String) {
        (self.path, self.before, self.after) = (path, before, after)
    }

    package var isNeeded: Bool { before != after }

    package var diff: [String] { UnifiedDiff.lines(from: before, to: after, path: path) }
}

extension FileChange {
    /// More than any configuration has, in bytes.
    static let longest = 1 << 20

    /// Writes the whole file or nothing, and keeps a replaced file as `.bak`. Everybody may read a new file, because it
    /// has no secrets. A replaced file keeps its mode and owner.
    /// - Returns: The written files, for people.
    func write() throws(CommandError) -> [String] {
        guard isNeeded else { return ["\(path): unchanged"] }
        guard try Self.text(of: path) == before else {
            throw CommandError("\(path): not written, because another program has changed it; run this again")
        }
        try Self.makeFolder(path.openedFolder)
        var status = stat()
        let isThere = unsafe stat(path, &status) == 0
        let mode = isThere ? status.st_mode & 0o777 : 0o644
        let owner = isThere ? (status.st_uid, status.st_gid) : nil
        guard let before else {
            try Self.replace(path, after, mode, owner)
            return ["\(path): created"]
        }
        try Self.replace(path + ".bak", before, mode, owner)
        try Self.replace(path, after, mode, owner)
        return ["\(path): written; the old file is \(path).bak"]
    }

    /// The text of a file; nil if the file does not exist.
    static func text(of path: String) throws(CommandError) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 || errno != ENOENT else { return nil }
        let bytes = try InputFile.read(path, limit: longest)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        do throws(YAMLError) {
            _ = try YAMLDocument(bytes, file: path)
        } catch {
            throw CommandError("\(error)")
        }
        throw CommandError("\(path): not UTF-8")
    }

    /// Creates a folder and its missing parents.
    static func makeFolder(_ path: String, mode: mode_t = 0o755) throws(CommandError) {
        var status = stat()
        guard unsafe stat(path, &status) != 0 else { return }
        let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
        if !trimmed.folder.isEmpty, trimmed.folder != "/" { try makeFolder(trimmed.folder) }
        guard unsafe mkdir(trimmed, mode) == 0 || errno == EEXIST else {
            throw CommandError("\(trimmed): \(SystemError.last)")
        }
    }

    /// Replaces the file atomically: after a power cut it has the old or the new text, complete.
    /// - Parameter owner: The new owner, if root writes the file; nil: this program's user.
    static func replace(
        _ path: String, _ text: String, _ mode: mode_t, _ owner: (uid_t, gid_t)?
    ) throws(CommandError) {
        let fresh = path + ".new"
        // A killed process may have left this file.
        _ = unsafe unlink(fresh)
        do throws(CommandError) {
            let file = try FileDescriptor(named: fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
            try fill(file.number, fresh, Array(text.utf8))
            if let owner, geteuid() == 0 { try check(fchown(file.number, owner.0, owner.1), fresh) }
            try check(fchmod(file.number, mode), fresh)
            try check(fsync(file.number), fresh)
            try check(unsafe rename(fresh, path), path)
            let folder = try FileDescriptor(named: path.openedFolder, O_RDONLY | O_DIRECTORY)
            try check(fsync(folder.number), path)
        } catch {
            _ = unsafe unlink(fresh)
            throw error
        }
    }

    private static func fill(_ descriptor: Int32, _ path: String, _ bytes: [UInt8]) throws(CommandError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            try check(Int32(clamping: count), path)
            written += count
        }
    }

    private static func check(_ result: Int32, _ path: String) throws(CommandError) {
        guard result >= 0 else { throw CommandError("\(path): \(SystemError.last)") }
    }
}
