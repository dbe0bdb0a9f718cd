import Base
import Glibc
import Platform

/// Lines of standard input, for a program that also waits for other things. Used by one thread.
final class TypedLines {
    /// The longest accepted line, in bytes.
    private static let longest = 1_024

    private var waiting: [UInt8] = []
    private var hasEnded = false

    /// The next line, without its end; nil: none came within that time. Returns early after a signal.
    /// - Throws: When the input has ended, or a line is too long.
    func next(within time: Duration) throws(CommandError) -> String? {
        if let line = take() { return line }
        guard !hasEnded else { throw CommandError("the input has ended before the last answer") }
        var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&polled, 1, Int32(clamping: time.nanoseconds / 1_000_000)) > 0 else { return nil }
        try read()
        return take()
    }

    private func read() throws(CommandError) {
        var buffer = [UInt8](repeating: 0, count: Self.longest)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
        guard count >= 0 || errno == EINTR || errno == EAGAIN else {
            throw CommandError("standard input: \(SystemError.last)")
        }
        hasEnded = count == 0
        waiting += buffer.prefix(max(0, count))
        // Any number of whole lines may wait, but a single line must not be longer.
        let first = waiting.firstIndex(of: UInt8(ascii: "\n")) ?? waiting.count
        guard first <= Self.longest else { throw CommandError("the answer has more than \(Self.longest) bytes") }
    }

    private func take() -> String? {
        let lineEnd = waiting.firstIndex(of: UInt8(ascii: "\n"))
        guard !waiting.isEmpty, let end = lineEnd ?? (hasEnded ? waiting.endIndex : nil) else { return nil }
        let line = waiting[..<end].filter { $0 != UInt8(ascii: "\r") }
        waiting.removeSubrange(..<min(end + 1, waiting.count))
        return String(decoding: line, as: UTF8.self)
    }
}
