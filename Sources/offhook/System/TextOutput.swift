import Glibc
import Synchronization

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
