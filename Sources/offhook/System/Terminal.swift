import Base
import Glibc
import Platform

/// A terminal in full-screen mode with single keys. Restores the terminal at the end of its life.
struct Terminal: ~Copyable {
    struct Size: Equatable {
        var width = 80
        var height = 24
    }

    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
    private static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    private let before: termios

    /// Whether standard input and output are both a terminal that understands escape sequences.
    static var isThere: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && Environment["TERM"] != "dumb"
    }

    /// Whether standard output is a terminal that shows more than plain text.
    static var showsPictures: Bool {
        isatty(STDOUT_FILENO) == 1 && Environment["TERM"] != "dumb"
    }

    static var hasColour: Bool { Environment["NO_COLOR"]?.isEmpty ?? true }

    /// Switches to single keys, including Ctrl-C, and to the alternate screen.
    init() throws(CommandError) {
        var settings = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw CommandError("terminal: \(SystemError.last)")
        }
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        Self.write(Self.enter)
    }

    deinit {
        Self.write(Self.leave)
        var settings = before
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    /// The size of the terminal at standard output; 80 × 24 if it does not tell.
    static var size: Size {
        var size = winsize()
        let asked = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
        guard asked == 0, size.ws_col > 0, size.ws_row > 0 else { return Size() }
        return Size(width: Int(size.ws_col), height: Int(size.ws_row))
    }

    /// The keys pressed since the last call; nil when the terminal is gone.
    func keys() -> [UInt8]? {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 0) == 1 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// Redraws the whole screen, each row with its escape sequence before it.
    func draw(_ rows: [(command: String, text: String)]) {
        let lines = rows.map { $0.command + $0.text + "\u{1B}[0m\u{1B}[K" }
        Self.write("\u{1B}[H" + lines.joined(separator: "\r\n") + "\u{1B}[J")
    }

    /// Waits for a slow terminal. Ignores a terminal that is gone, because `keys` reports that.
    private static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}

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
