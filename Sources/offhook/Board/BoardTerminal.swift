import Base
import Glibc
import Platform

/// A person at the terminal, or a program that writes the answers into a pipe. Signals become errors between two checks
/// of the input, so every error path can switch the outputs off.
struct BoardTerminal: BoardPerson {
    /// The longest wait before a signal is noticed.
    private static let look = Duration.milliseconds(100)

    private let lines = TypedLines()
    private let signals: TerminationSignals

    /// - Parameter needsPerson: Whether to refuse answers from a pipe.
    init(needsPerson: Bool) throws(CommandError) {
        guard !needsPerson || isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 else {
            throw CommandError("there is no terminal to ask at")
        }
        signals = TerminationSignals.block()
        // If the terminal's connection breaks, the input ends. SIGHUP must not end the program before that.
        Glibc.signal(SIGHUP, SIG_IGN)
    }

    func say(_ text: String) throws {
        try SetupTerminal.say(
            text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).withoutCommands }
                .joined(separator: "\n"))
    }

    func prompt(_ text: String) throws {
        print(text.withoutCommands, terminator: "")
        try StandardOutput.flush()
    }

    func typed(within time: Duration) throws -> String? {
        let end = MonotonicClock.now() + time
        repeat {
            try check()
            let left = max(.zero, end - MonotonicClock.now())
            if let line = try lines.next(within: min(left, Self.look)) { return line }
        } while MonotonicClock.now() < end
        return nil
    }

    func pause(for time: Duration) throws {
        let end = MonotonicClock.now() + time
        while MonotonicClock.now() < end {
            try check()
            MonotonicClock.sleep(min(Self.look, end - MonotonicClock.now()))
        }
    }

    private func check() throws(CommandError) {
        guard !signals.isPending else { throw CommandError("interrupted") }
    }
}
