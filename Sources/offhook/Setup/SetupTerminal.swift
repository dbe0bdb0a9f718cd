import Base
import Glibc

/// Answers the questions: a person at a terminal, or a file.
protocol SetupAsker {
    /// Whether a person is there to hear and answer.
    var isPerson: Bool { get }
    /// - Parameter why: Why the previous answer was rejected.
    func answer(to question: SetupQuestion, refused why: SetupRefusal?) throws -> String
    /// Nil: an empty answer, which means that the server needs no password.
    /// - Parameters:
    ///   - longest: In bytes.
    ///   - why: Why the previous answer was rejected.
    func secret(
        _ question: SetupQuestion, upTo longest: Int, refused why: SetupRefusal?
    ) throws -> Redacted<String>?
    func passphrase() throws -> Redacted<String>
    /// Asks for consent.
    func confirm(_ text: String) throws -> Bool
}

/// Asks a person at the terminal, in plain text of 80 columns.
struct SetupTerminal: SetupAsker {
    private static let width = 79
    /// The longest accepted answer, in bytes.
    private static let longest = 1_024

    let isPerson = true

    init() throws(CommandError) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw CommandError("there is no terminal to ask at; use --answers FILE")
        }
    }

    func answer(to question: SetupQuestion, refused why: SetupRefusal?) throws -> String {
        if let why { try Self.say("  \(why).") }
        try Self.say(question.text)
        let width = question.choices.map(\.value.count).max() ?? 0
        for (index, choice) in question.choices.enumerated() where !choice.words.isEmpty {
            let gap = String(repeating: " ", count: width - choice.value.count + 2)
            let number = question.kind == .number ? "" : "\(index + 1) "
            try Self.say("  \(number) \(choice.value)\(gap)\(choice.words.withoutCommands)", indent: width + 7)
        }
        let yesNo = question.choices.map(\.value) == ["yes", "no"]
        return try Self.read(yesNo ? "yes or no" : nil, usual: question.usual).map { Self.word($0, yesNo) } ?? ""
    }

    func secret(
        _ question: SetupQuestion, upTo longest: Int, refused why: SetupRefusal?
    ) throws -> Redacted<String>? {
        if let why { try Self.say("  \(why).") }
        let secret = try SecretInput().read(
            asking: question.text + ": ", mayBeEmpty: true, upTo: longest)
        return secret.reveal().isEmpty ? nil : secret
    }

    func passphrase() throws -> Redacted<String> {
        try SecretInput().readTwice(asking: SecretInput.newPassphrase, least: 12)
    }

    func confirm(_ text: String) throws -> Bool {
        try Self.say(text)
        return try ["", "y", "yes"].contains(Self.read("yes or no", usual: "yes")?.lowercased())
    }

    /// Prints a text in lines that fit, and flushes it.
    /// - Parameter indent: The indentation of all lines after the first.
    static func say(_ text: String, indent: Int = 0) throws(CommandError) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { print(wrapped(line, indent)) }
        try StandardOutput.flush()
    }

    private static func wrapped(_ line: Substring, _ indent: Int) -> String {
        var lines: [String] = []
        var rest = line
        while rest.count > width, let space = rest.prefix(width).lastIndex(of: " "),
            rest.index(after: space) > rest.firstIndex(where: { $0 != " " }) ?? space
        {
            lines.append(String(rest[..<space]))
            rest = (String(repeating: " ", count: indent) + rest[space...].drop { $0 == " " })[...]
        }
        return (lines + [String(rest)]).joined(separator: "\n")
    }

    /// Nil for an empty answer, which means the default.
    private static func read(_ hint: String?, usual: String?) throws(CommandError) -> String? {
        let shown = [hint, usual.map { "[\($0.withoutCommands)]" }].compactMap(\.self).joined(separator: " ")
        print(shown.isEmpty ? "> " : shown + " > ", terminator: "")
        try StandardOutput.flush()
        guard let line = readLine() else {
            print()
            throw CommandError("the input has ended before the last answer")
        }
        guard line.utf8.count <= longest else { throw CommandError("the answer has more than \(longest) bytes") }
        return line.isEmpty ? nil : line
    }

    private static func word(_ answer: String, _ isYesNo: Bool) -> String {
        guard isYesNo else { return answer }
        return ["y": "yes", "n": "no"][answer.lowercased()] ?? answer.lowercased()
    }
}
