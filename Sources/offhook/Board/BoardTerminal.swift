import Base
import Glibc
import Platform

/// The person at the telephone, who answers the questions of `offhook board`.
package protocol BoardPerson {
    func say(_ text: String) throws
    /// Prints the text and leaves the cursor after it.
    func prompt(_ text: String) throws
    /// The typed line; nil: none within that time.
    /// - Throws: When the input has ended, or a signal asks the program to end.
    func typed(within time: Duration) throws -> String?
    /// Waits, and ignores everything typed during that time.
    /// - Throws: When a signal asks the program to end.
    func pause(for time: Duration) throws
}

extension BoardPerson {
    /// - Parameter usual: The default answer, for Enter. It is shown.
    func ask(_ text: String, usual: String = "") throws -> String {
        try say(text)
        try prompt(usual.isEmpty ? "> " : "[\(usual)] > ")
        while true {
            guard let typed = try typed(within: .seconds(1)) else { continue }
            let words = typed.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
            return words.isEmpty ? usual : words
        }
    }

    /// Asks until the answer is one of these words.
    func choose(_ text: String, usual: String, _ words: [String] = ["yes", "no"]) throws -> String {
        var question = text
        while true {
            let answer = try ask("\(question) (\(words.joined(separator: ", ")))", usual: usual).lowercased()
            if let word = words.first(where: { $0 == answer || String($0.prefix(1)) == answer }) { return word }
            question = "Please answer with one of these words:"
        }
    }

    func confirm(_ text: String, usual: Bool) throws -> Bool { try choose(text, usual: usual ? "yes" : "no") == "yes" }
}

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
