import ArgumentParser
import Base
import Glibc

/// Answers from a file. A question without an answer in the file gets the default answer. If there is no default, the
/// run ends.
struct SetupFile: SetupAsker {
    let isPerson = false
    let answers: SetupAnswers
    /// Whether to write files without asking.
    let writes: Bool

    func answer(to question: SetupQuestion, refused why: SetupRefusal?) throws -> String {
        if let why { throw CommandError("\(question.key.rawValue): \(why)") }
        guard let answer = answers.answers[question.key] ?? question.usual else {
            throw CommandError(
                "\(question.key.rawValue): no answer in the file, and there is no default: \(question.text)")
        }
        return answer
    }

    func secret(_ question: SetupQuestion, refused why: SetupRefusal?) throws -> Redacted<String>? {
        if let why { throw CommandError("\(question.key.rawValue): \(why)") }
        guard question.key != .password || !answers.needsNoPassword else { return nil }
        guard let file = answers.secretFiles[question.key] else {
            let hint = question.key == .password ? "; give it, or `no_password: true`" : ""
            throw CommandError("\(question.key.rawValue): no answer in the file\(hint)")
        }
        return try SecretInput.firstLine(ofFile: file, of: "it", upTo: question.longestSecret)
    }

    func passphrase() throws -> Redacted<String> {
        guard let file = answers.passphraseFile else {
            throw CommandError("vault.passphrase_file: no answer in the file; `key: passphrase` needs it")
        }
        return try SecretInput.parse(["--password-file", file]).readTwice(asking: "", least: 12)
    }

    func confirm(_ text: String) throws -> Bool {
        if writes { return true }
        guard isatty(STDIN_FILENO) == 1 else { throw CommandError("nothing was written; --yes writes without asking") }
        return try SetupTerminal().confirm(text)
    }
}
