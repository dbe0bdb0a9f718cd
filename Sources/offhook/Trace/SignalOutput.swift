import Glibc
import Platform
import Trace

/// The output of a trace: a ladder on standard output, or a capture. The capture's file stays open for the life of the
/// program.
struct SignalOutput {
    private enum Form {
        case ladder(Ladder)
        case capture(path: String)
    }

    private var form: Form
    private let descriptor: Int32

    init(showsBodies: Bool) {
        form = .ladder(Ladder(showsBodies: showsBodies))
        descriptor = STDOUT_FILENO
    }

    /// Begins a capture. Only the owner may read its file, because it shows callers and callees.
    /// - Parameter path: `-` is standard output.
    init(capture path: String) throws(CommandError) {
        form = .capture(path: path)
        descriptor =
            path == "-"
            ? STDOUT_FILENO : unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw CommandError("\(path): \(SystemError.last)") }
        try write(bytes: CaptureFile.opening, path)
    }

    /// Writes all messages at once, so that no reader waits for a part of them. A ladder shows them call by call.
    mutating func write(_ signals: [TracedSignal]) throws(CommandError) {
        guard !signals.isEmpty else { return }
        switch form {
        case .capture(let path): try write(bytes: signals.flatMap { CaptureFile.record(of: $0) }, path)
        case .ladder(var ladder):
            let lines = Ladder.byCall(signals).flatMap { ladder.lines(for: $0) }
            form = .ladder(ladder)
            try write(bytes: Array((lines.joined(separator: "\n") + "\n").utf8), "standard output")
        }
    }

    private func write(bytes: [UInt8], _ path: String) throws(CommandError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CommandError("\(path): \(SystemError.last)") }
            rest = rest.dropFirst(count)
        }
    }
}
