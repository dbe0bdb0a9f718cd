import Glibc
import Platform

/// A file that a person named, or standard input.
enum InputFile {
    /// Reads the file to its end.
    /// - Parameters:
    ///   - name: A path, or `-` for standard input.
    ///   - limit: The largest size, in bytes.
    static func read(_ name: String, limit: Int) throws(CommandError) -> [UInt8] {
        if name == "-" { return try read(STDIN_FILENO, named: "standard input", limit) }
        let file = try FileDescriptor(named: name, O_RDONLY)
        return try read(file.number, named: name, limit)
    }

    private static func read(_ descriptor: Int32, named name: String, _ limit: Int) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CommandError("\(name): \(SystemError.last)") }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= limit else { throw CommandError("\(name): larger than the limit of \(limit) bytes") }
        }
    }
}
