import Base
import Control
import JSON

/// A manual page (mdoc(7)) of a command, generated from `offhook help --json`.
public struct ManualPage {
    /// The commands with a separate page; all others are in that of `offhook`.
    private static let own = ["ctl", "setup"]

    private let command: JSONValue
    /// The words of the command, such as `offhook ctl`.
    private let words: [String]
    private let others: [String]

    /// `offhook-ctl.1`.
    public var file: String { words.joined(separator: "-") + ".1" }

    /// All pages of a program.
    /// - Parameter program: What `offhook help --json` prints.
    public static func all(of program: JSONValue) -> [ManualPage] {
        let name = program.text("name")
        let parts = program.list("commands").filter { own.contains($0.text("name")) }
        let pages = [[name]] + parts.map { [name, $0.text("name")] }
        return zip([program] + parts, pages).map { command, words in
            ManualPage(
                command: command, words: words,
                others: pages.filter { $0 != words }.map { $0.joined(separator: "-") }.sorted())
        }
    }

    public var text: String {
        let name = words.joined(separator: "-")
        let purpose = command.text("purpose")
        return """
            .\\" Written by offhook-reference. Do not edit.
            .Dd November 25, 2026
            .Dt \(name.uppercased()) 1
            .Os Offhook \(ProgramVersion.text)
            .Sh NAME
            .Nm \(name)
            .Nd \(Self.plain(purpose.hasSuffix(".") ? String(purpose.dropLast()) : purpose))
            .Sh SYNOPSIS
            .Nm "\(words.joined(separator: " "))"
            .Ar command
            .Op Ar argument ...
            .Sh DESCRIPTION
            \(Self.sentences(purpose))
            The commands are:
            \(Self.commands(of: command, words, isTop: words.count == 1))\(Self.end)
            .Sh SEE ALSO
            \(others.map { ".Xr \($0) 1" }.joined(separator: " ,\n"))

            """
    }

    private static func commands(of command: JSONValue, _ words: [String], isTop: Bool) -> String {
        command.list("commands").map { part in
            let path = words + [part.text("name")]
            if isTop, own.contains(path.last ?? "") {
                return ".Ss \(plain(path.joined(separator: " ")))\nSee\n.Xr \(path.joined(separator: "-")) 1 .\n"
            }
            let inner = commands(of: part, path, isTop: false)
            return inner.isEmpty ? one(part, path) : inner
        }.joined()
    }

    private static func one(_ command: JSONValue, _ path: [String]) -> String {
        let parameters = command.list("parameters").map(CommandParameter.init)
        let usage = parameters.filter(\.isInUsage).map { $0.synopsis(value: $0.value) }
        let items = parameters.map { ".It \(head($0))\n\(sentences($0.help { $0 }))\n" }
        let list = items.isEmpty ? "" : ".Bl -tag -width Ds\n\(items.joined()).El\n"
        let texts = [command.text("purpose"), command.text("discussion")].filter { !$0.isEmpty }
        return ".Ss \(plain((path + usage).joined(separator: " ")))\n"
            + texts.map { sentences($0) + "\n" }.joined(separator: ".Pp\n") + list
    }

    private static func head(_ parameter: CommandParameter) -> String {
        if parameter.kind == "argument" { return "Ar \(parameter.value)" }
        // An escaped minus, because mdoc writes the first one itself.
        let flags = parameter.spellings.map { "Fl " + $0.dropFirst().replacing("-", with: "\\-") }
        return flags.joined(separator: " , ") + (parameter.kind == "option" ? " Ar \(parameter.value)" : "")
    }

    /// Each sentence on a separate line, as mdoc requires.
    private static func sentences(_ text: String) -> String {
        text.split(separator: "\n").map { line in
            line.replacing(/([.?]) +(?=\p{Lu})/) { "\($0.1)\n" }.split(separator: "\n").map { plain(String($0)) }
                .joined(separator: "\n")
        }.joined(separator: "\n.br\n")
    }

    /// Text that roff does not take for a command: one line each, with only the escapes added here.
    private static func plain(_ text: String) -> String {
        text.split(separator: "\n").map { line in
            let words = line.split(separator: " ").joined(separator: " ").replacing("\\", with: "\\e")
            return words.hasPrefix(".") || words.hasPrefix("'") ? "\\&" + words : words
        }.joined(separator: "\n.br\n")
    }

    /// Text for all commands.
    private static let end = """
        .Sh ENVIRONMENT
        .Bl -tag -width Ds
        .It Ev NO_COLOR
        If set and not empty, the output has no colours.
        .It Ev CREDENTIALS_DIRECTORY
        The folder in which systemd provides the key of the vault.
        .El
        .Sh FILES
        .Bl -tag -width Ds
        .It Pa /etc/offhook/offhook.yaml
        The configuration, unless
        .Fl \\-config
        names another one.
        Relative paths in it begin at its folder.
        .El
        .Sh EXIT STATUS
        .Bl -tag -width Ds
        .It 0
        The command succeeded.
        .It 1
        The command was understood but failed: the phone is not running or rejected it, a call failed at once, a file or
        the configuration is wrong, or a check found a fault.
        .It 64
        The command line is wrong.
        .El
        """
}
