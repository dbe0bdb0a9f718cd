import Base
import Control
import JSON

/// A manual page (mdoc(7)) of a command, generated from the program's `--experimental-dump-help`.
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
    public static func all(of help: JSONValue) -> [ManualPage] {
        guard let program = help["command"], let name = program["commandName"]?.string else { return [] }
        let parts = subcommands(of: program).filter { own.contains($0["commandName"]?.string ?? "") }
        let names = parts.compactMap { $0["commandName"]?.string }
        let pages = [[name]] + names.map { [name, $0] }
        return zip([program] + parts, pages).map { command, words in
            ManualPage(
                command: command, words: words,
                others: pages.filter { $0 != words }.map { $0.joined(separator: "-") }.sorted())
        }
    }

    static func subcommands(of command: JSONValue) -> [JSONValue] {
        (command["subcommands"]?.array ?? []).filter {
            $0["commandName"]?.string != "help" && $0["shouldDisplay"] != false
        }
    }

    public var text: String {
        let name = words.joined(separator: "-")
        let abstract = command["abstract"]?.string ?? ""
        return """
            .\\" Written by offhook-reference. Do not edit.
            .Dd November 25, 2026
            .Dt \(name.uppercased()) 1
            .Os Offhook \(ProgramVersion.text)
            .Sh NAME
            .Nm \(name)
            .Nd \(Self.plain(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract))
            .Sh SYNOPSIS
            .Nm "\(words.joined(separator: " "))"
            .Ar command
            .Op Ar argument ...
            .Sh DESCRIPTION
            \(Self.sentences(abstract))
            The commands are:
            \(Self.commands(of: command, words, isTop: words.count == 1))\(Self.end)
            .Sh SEE ALSO
            \(others.map { ".Xr \($0) 1" }.joined(separator: " ,\n"))

            """
    }

    private static func commands(of command: JSONValue, _ words: [String], isTop: Bool) -> String {
        subcommands(of: command).map { part in
            let path = words + [part["commandName"]?.string ?? ""]
            if isTop, own.contains(path.last ?? "") {
                return ".Ss \(plain(path.joined(separator: " ")))\nSee\n.Xr \(path.joined(separator: "-")) 1 .\n"
            }
            let inner = commands(of: part, path, isTop: false)
            return inner.isEmpty ? one(part, path) : inner
        }.joined()
    }

    private static func one(_ command: JSONValue, _ path: [String]) -> String {
        let arguments = (command["arguments"]?.array ?? []).filter {
            $0["shouldDisplay"] != false && !["help", "version"].contains($0["valueName"]?.string ?? "")
        }
        let usage = arguments.filter { $0["kind"] == "positional" || $0["isOptional"] == false }.map(synopsis)
        let items = arguments.map { argument in
            let choices = (argument["allValues"]?.array ?? []).compactMap(\.string)
            let words = [
                argument["abstract"]?.string ?? "",
                choices.isEmpty ? "" : "One of \(choices.joined(separator: ", ")).",
                argument["defaultValue"]?.string.map { "Default: \($0)." } ?? "",
            ]
            return ".It \(head(argument))\n\(sentences(words.filter { !$0.isEmpty }.joined(separator: " ")))\n"
        }
        let list = items.isEmpty ? "" : ".Bl -tag -width Ds\n\(items.joined()).El\n"
        let texts = [command["abstract"]?.string, command["discussion"]?.string].compactMap { $0 }
        return ".Ss \(plain((path + usage).joined(separator: " ")))\n"
            + texts.map { sentences($0) + "\n" }.joined(separator: ".Pp\n") + list
    }

    private static func synopsis(_ argument: JSONValue) -> String {
        let value = argument["valueName"]?.string ?? ""
        let word = argument["kind"] == "positional" ? value : "\(names(of: argument).first ?? "") \(value)"
        let all = argument["isRepeating"] == true ? word + " ..." : word
        return argument["isOptional"] == true ? "[\(all)]" : all
    }

    private static func head(_ argument: JSONValue) -> String {
        let value = argument["valueName"]?.string ?? ""
        if argument["kind"] == "positional" { return "Ar \(value)" }
        // An escaped minus, because mdoc writes the first one itself.
        let flags = names(of: argument).map { "Fl " + $0.dropFirst().replacing("-", with: "\\-") }
        return flags.joined(separator: " , ") + (argument["kind"] == "option" ? " Ar \(value)" : "")
    }

    static func names(of argument: JSONValue) -> [String] {
        (argument["names"]?.array ?? []).compactMap { name in
            name["name"]?.string.map { (name["kind"] == "long" ? "--" : "-") + $0 }
        }
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
