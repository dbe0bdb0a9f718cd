import ArgumentParser
import Base
import Platform
import YAML

@main
struct Offhook: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offhook",
        abstract: "A telephone for Linux boards: hook, keys and bell on GPIO, SIP, voice over SRTP.",
        version: ProgramVersion.text,
        subcommands: [
            RunCommand.self, SetupCommand.self, DoctorCommand.self, ConfigCommand.self, CtlCommand.self,
            AccountCommand.self,
            VaultCommand.self, BootCommand.self, AudioCommand.self, ReplayCommand.self, TraceCommand.self,
            CtlCommand.SignIn.self, RecordingsCommand.self, BoardCommand.self, ThreadsCommand.self,
            CompletionCommand.self,
        ])

    static func main() {
        StandardDescriptors.open()
        SoundLibrary.prepare()
        do {
            if let unknown = UnknownCommand.find(in: CommandLine.arguments.dropFirst()) {
                throw ValidationError("\(unknown)")
            }
            var command = try parseAsRoot()
            try command.run()
            try StandardOutput.flush()
        } catch {
            exit(withError: error)
        }
    }
}

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

/// A command was understood but could not be carried out. Unlike a `ValidationError`, it is shown without usage help.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

struct ThreadsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "threads",
        abstract: "Show all threads of a phone: task, priority, and what each may wait for.")

    func run() { print(ThreadRole.table.joined(separator: "\n")) }
}

struct CompletionCommand: ParsableCommand {
    enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a script that completes offhook's commands in a shell.",
        discussion: """
            bash: offhook completion bash > /usr/share/bash-completion/completions/offhook
            zsh:  offhook completion zsh > /usr/share/zsh/vendor-completions/_offhook
            fish: offhook completion fish > /usr/share/fish/vendor_completions.d/offhook.fish
            """)

    @Argument(help: "bash, zsh or fish.") var shell: Shell

    func run() {
        let kind: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        print(Offhook.completionScript(for: kind))
    }
}
