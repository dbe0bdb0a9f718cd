import Glibc
import Platform

/// Small files and folders that the bench makes for the programs it starts.
public enum TextFile {
    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        public let path: String
        public let reason: String
        public var description: String { "\(path): cannot be used: \(reason)" }
    }

    public static func write(_ text: String, to path: String) throws(Failure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, reason: SystemError.last) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Failure(path: path, reason: SystemError.last)
        }
    }

    /// Reads the whole file.
    public static func read(_ path: String) throws(Failure) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path: path, reason: SystemError.last) }
        defer { close(descriptor) }
        var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = unsafe Glibc.read(descriptor, &part, part.count)
            guard count >= 0 else { throw Failure(path: path, reason: SystemError.last) }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part.prefix(count)
        }
    }

    /// Makes a folder and those above it, for its owner only.
    public static func makeFolder(_ path: String) throws(Failure) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += part + "/"
            if unsafe mkdir(made, 0o700) != 0, errno != EEXIST { throw Failure(path: made, reason: SystemError.last) }
        }
    }
}
