import Base

/// A command line, as far as its words name commands.
struct Invocation {
    /// The program, a group in it and so on. The last one is meant.
    private(set) var path: [Command]
    /// The words after the names.
    private(set) var words: ArraySlice<String>

    /// What the program should do.
    enum Request {
        case show(String)
        case run((Arguments) throws -> Void, Arguments)
    }

    init(of program: Command, _ words: [String]) {
        (path, self.words) = ([program], words[...])
        while let word = self.words.first, let next = command.commands.first(where: { $0.name == word }) {
            path.append(next)
            self.words.removeFirst()
        }
    }

    var command: Command { path[path.count - 1] }
    var help: CommandHelp { CommandHelp(path: path) }

    /// - Parameter version: The answer to `--version`.
    mutating func request(version: String) throws(UsageError) -> Request {
        if command.isGroup { try checkName() }
        let options = words.prefix { $0 != "--" }
        if options.contains("--help") || options.contains("-h") { return .show(help.text) }
        if options.contains("--version") { return .show(version) }
        if words.first == "help", command.isGroup {
            let asked = Invocation(of: command, Array(words.dropFirst()))
            path += asked.path.dropFirst()
            if let word = asked.words.first { throw unknown(word) }
            return .show(help.text)
        }
        enterUsual()
        switch command.body {
        case .group:
            if let word = words.first { throw Arguments.unknown(word, among: []) }
            return .show(help.text)
        case .action(let parameters, let run):
            return .run(run, try Arguments(words, for: parameters))
        }
    }

    /// Enters the command that runs if the words name only its group.
    mutating func enterUsual() {
        guard let usual = command.usual, let next = command.commands.first(where: { $0.name == usual }) else { return }
        path.append(next)
    }

    /// A mistyped command is reported as such. Otherwise the first option after it would be the mistake.
    private func checkName() throws(UsageError) {
        guard let word = words.first, !Arguments.isOption(word), word != "help" else { return }
        // A word after a group may be an argument of its usual command.
        guard command.usual == nil || nearest(to: word) != nil else { return }
        throw unknown(word)
    }

    private func unknown(_ word: String) -> UsageError {
        let words = help.words
        let hint = nearest(to: word).map { " Did you mean \"\(words) \($0)\"?" } ?? ""
        return UsageError(
            "there is no command \"\(words) \(word.shown(bytes: 64))\".\(hint) \"\(words) --help\" lists all")
    }

    private func nearest(to word: String) -> String? { Spelling.nearest(to: word, among: command.commands.map(\.name)) }
}
