import Glibc
import JSON

extension Command {
    /// What a program says to a command line, besides the output of the command itself.
    package struct Outcome: Equatable {
        /// Help, version, completions or the table; empty after a command.
        package let output: String
        package let error: String
        /// The exit code: 0, 1 for a failure, 64 for a wrong command line (EX_USAGE of sysexits.h).
        package let status: Int32

        package init(output: String = "", error: String = "", status: Int32 = 0) {
            (self.output, self.error, self.status) = (output, error, status)
        }
    }

    /// Runs the command that these words name, and prints what there is to say.
    /// - Parameters:
    ///   - words: The arguments of the program, without its name.
    ///   - version: The answer to `--version`.
    ///   - finish: Called after a command has succeeded. Throws if its output was lost.
    /// - Returns: The exit code of the program.
    package func perform(_ words: [String], version: String, finish: () throws -> Void = {}) -> Int32 {
        let outcome = outcome(of: words, version: version, finish: finish)
        if !outcome.output.isEmpty { print(outcome.output) }
        if !outcome.error.isEmpty { Self.report(outcome.error) }
        return outcome.status
    }

    /// Runs the command that these words name. `help --json` gives the table.
    package func outcome(of words: [String], version: String, finish: () throws -> Void = {}) -> Outcome {
        if words.first == Completion.word {
            return Outcome(output: Completion.lines(for: Array(words.dropFirst()), of: self).joined(separator: "\n"))
        }
        if words == ["help", "--json"] { return Outcome(output: json.text) }
        var invocation = Invocation(of: self, words)
        do {
            switch try invocation.request(version: version) {
            case .show(let text): return Outcome(output: text)
            case .run(let run, let arguments): try run(arguments)
            }
            try finish()
            return Outcome()
        } catch let exit as ExitCode {
            return Outcome(status: exit.status)
        } catch let error as UsageError {
            let help = invocation.help
            let usage = "\(help.usage)\n  See '\(help.words) --help' for more information."
            return Outcome(error: "Error: \(error)\n\(usage)", status: 64)
        } catch {
            return Outcome(error: "Error: \(error)", status: 1)
        }
    }

    private static func report(_ text: String) {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // Without a reader, the exit code has to say it.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
