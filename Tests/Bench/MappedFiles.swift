import Glibc
import Platform

/// The files that a process has mapped into its memory, such as libraries.
public enum MappedFiles {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The names of files, without their folders.
    /// - Parameter process: Its identifier; nil: this process.
    public static func names(of process: pid_t? = nil) throws(Failure) -> Set<String> {
        let path = "/proc/\(process.map { "\($0)" } ?? "self")/maps"
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(description: "\(path): \(SystemError.last)") }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        // The kernel gives a page at a time.
        while case let count = unsafe read(descriptor, &piece, piece.count), count > 0 { text += piece.prefix(count) }
        let names = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            line.lastIndex(of: UInt8(ascii: "/")).map { String(decoding: line[($0 + 1)...], as: UTF8.self) }
        }
        return Set(names)
    }
}
