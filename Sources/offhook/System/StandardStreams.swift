import Glibc
import Platform
import Synchronization

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

/// Standard output, for readers that read while the program still writes.
enum StandardOutput {
    /// - Throws: `CommandError` when printed text cannot be written: a full disk, or a reader that is gone.
    static func flush() throws(CommandError) {
        guard fflush(nil) == 0 else { throw CommandError("standard output: \(SystemError.last)") }
    }
}

/// Writes lines to a reader that may have stopped reading. A line without room is dropped and counted, because the
/// writing thread must not wait for the reader. That matters most on the control thread.
final class TextOutput: Sendable {
    /// The longest write, in bytes. A pipe that poll(2) reports as writable has room for at least one page, so such a
    /// write never blocks (PIPE_BUF, pipe(7)).
    private static let longest = 4_096

    private let descriptor: Int32
    /// Lines dropped since the last written line.
    private let dropped = Mutex(0)

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Appends a line, cut to 4 KiB. From any thread.
    func write(_ line: String) {
        dropped.withLock { dropped in
            let gap = dropped > 0 ? "\(dropped) lines were dropped here\n" : ""
            let bytes = Array((gap + line).utf8.prefix(Self.longest - 1)) + [UInt8(ascii: "\n")]
            if hasRoom, unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count {
                dropped = 0
            } else {
                dropped += 1
            }
        }
    }

    private var hasRoom: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLOUT) != 0
    }
}

extension FileDescriptor {
    /// Opens a file that a person named.
    init(named path: String, _ flags: Int32, mode: mode_t = 0) throws(CommandError) {
        try self.init(path, flags, mode: mode) { CommandError("\(path): \(SystemError.text($0))") }
    }
}
