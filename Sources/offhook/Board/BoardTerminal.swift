import Base
import Glibc
import Platform

/// A person at the terminal, or whoever writes the answers into a pipe. Signals that ask for an end are noticed between
/// two looks, so whatever a command has switched on is switched off as the error passes it.
struct BoardTerminal: BoardPerson {
    /// How long a signal waits at most.
    private static let look = Duration.milliseconds(100)

    private let lines = TypedLines()
    private let signals: TerminationSignals

    /// - Parameter needsPerson: Whether answers from a pipe do not do.
    init(needsPerson: Bool) throws(CommandError) {
        guard !needsPerson || isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 else {
            throw CommandError("no terminal to ask on")
        }
        signals = TerminationSignals.block()
        // The terminal of a connection that breaks ends as an input does, and not the program on the spot.
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
