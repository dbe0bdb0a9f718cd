import ArgumentParser
import Base
import YAML

/// The command does not exist. The parser would complain about the first option after it instead.
package struct UnknownCommand: Error, CustomStringConvertible {
    /// The preceding commands, such as `offhook ctl`.
    let group: String
    let word: String
    /// The command that was probably meant.
    let nearest: String?

    package var description: String {
        let word = word.shown(bytes: 64)
        let hint = nearest.map { " Did you mean \"\(group) \($0)\"?" } ?? ""
        return "there is no command \"\(group) \(word)\".\(hint) \"\(group) --help\" lists all"
    }

    /// - Parameter words: The arguments of the program.
    /// - Returns: Nil if every command before the first option is known.
    package static func find(in words: some Sequence<String>) -> UnknownCommand? {
        find(in: words, below: Offhook.self)
    }

    private static func find(in words: some Sequence<String>, below root: any ParsableCommand.Type) -> UnknownCommand? {
        var (command, path) = (root, [name(of: root)])
        for word in words {
            let known = command.configuration.subcommands
            guard !word.hasPrefix("-"), !known.isEmpty else { return nil }
            guard let next = known.first(where: { name(of: $0) == word || $0.configuration.aliases.contains(word) })
            else {
                let nearest = Spelling.nearest(to: word, among: known.map(name))
                // A word after a group with a default subcommand may be an argument of that subcommand.
                guard word != "help", command.configuration.defaultSubcommand == nil || nearest != nil else {
                    return nil
                }
                return UnknownCommand(group: path.joined(separator: " "), word: word, nearest: nearest)
            }
            command = next
            path.append(word)
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? "\(command)".lowercased()
    }
}
