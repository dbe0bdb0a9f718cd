import JSON

/// `docs/user/commands.md`, made of what the program says of itself with `--experimental-dump-help`.
public enum CommandPage {
    /// Options that most commands have. The page explains them once.
    private static let common = ["config", "socket", "json"]
    private static let width = 100

    /// The whole page; nil when the text is not the help of a program.
    public static func text(of help: JSONValue) -> String? {
        guard let program = help["command"], let name = program["commandName"]?.string else { return nil }
        let sections = ManualPage.subcommands(of: program).map { section($0, [name], depth: 2) }
        return opening + "\n" + sections.joined(separator: "\n")
    }

    /// A command, or a group of commands.
    private static func section(_ command: JSONValue, _ before: [String], depth: Int) -> String {
        let path = before + [command["commandName"]?.string ?? ""]
        let words = path.joined(separator: " ")
        let texts = [command["abstract"]?.string, command["discussion"]?.string].compactMap { $0 }
        var parts = [String(repeating: "#", count: depth) + " " + words, prose(texts)]
        let inner = ManualPage.subcommands(of: command)
        if inner.isEmpty {
            parts += body(command, words)
        } else {
            parts += inner.map { String(section($0, path, depth: min(depth + 1, 4)).dropLast()) }
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// Usage, options and an example of one command.
    private static func body(_ command: JSONValue, _ words: String) -> [String] {
        let arguments = (command["arguments"]?.array ?? []).filter {
            $0["shouldDisplay"] != false && !["help", "version"].contains($0["valueName"]?.string ?? "")
        }
        let own = arguments.filter { !common.contains($0["valueName"]?.string ?? "") }
        let usual = common.filter { name in arguments.contains { $0["valueName"]?.string == name } }
        let needed = own.filter { $0["kind"] == "positional" || $0["isOptional"] == false }.map(synopsis)
        let hasOptions = own.contains { $0["kind"] != "positional" && $0["isOptional"] != false }
        let usage = [words] + needed + (hasOptions ? ["[options]"] : [])
        var parts = ["```\n\(usage.joined(separator: " "))\n```"]
        parts.append(own.compactMap { item($0, among: own) }.joined(separator: "\n"))
        if !usual.isEmpty {
            parts.append("Common options: \(usual.map { "`--\($0)`" }.joined(separator: ", ")).")
        }
        if let example = examples[words] { parts.append("Example:\n\n```\n\(example)\n```") }
        return parts
    }

    private static func synopsis(_ argument: JSONValue) -> String {
        let value = (argument["valueName"]?.string ?? "").uppercased()
        let word = argument["kind"] == "positional" ? value : "\(ManualPage.names(of: argument).last ?? "") \(value)"
        let all = argument["isRepeating"] == true ? word + " ..." : word
        return argument["isOptional"] == true ? "[\(all)]" : all
    }

    /// A line of the list of options. Nil for the second half of a pair such as `--register` and `--no-register`.
    private static func item(_ argument: JSONValue, among all: [JSONValue]) -> String? {
        let value = (argument["valueName"]?.string ?? "")
        let names = ManualPage.names(of: argument)
        if value.hasPrefix("no-"), all.contains(where: { $0["valueName"]?.string == String(value.dropFirst(3)) }) {
            return nil
        }
        let opposite = all.contains { $0["valueName"]?.string == "no-" + value } ? ["--no-" + value] : []
        let flags = argument["kind"] == "positional" ? [value.uppercased()] : names + opposite
        let suffix = argument["kind"] == "option" ? " " + value.uppercased() : ""
        let head = flags.map { "`\($0)\(suffix)`" }.joined(separator: ", ")
        let choices = (argument["allValues"]?.array ?? []).compactMap(\.string)
        let texts = [
            argument["abstract"]?.string ?? "",
            choices.isEmpty ? "" : "One of \(choices.map { "`\($0)`" }.joined(separator: ", ")).",
            argument["defaultValue"]?.string.map { "Default: `\($0)`." } ?? "",
        ]
        return wrapped("- \(head): " + texts.filter { !$0.isEmpty }.joined(separator: " "), indent: "  ")
    }

    /// Paragraphs; lines of a text that its author broke stay apart.
    private static func prose(_ texts: [String]) -> String {
        texts.map { text in
            text.split(separator: "\n").map { wrapped(String($0), indent: "") }.joined(separator: "\n\n")
        }.joined(separator: "\n\n")
    }

    private static func wrapped(_ text: String, indent: String) -> String {
        var lines = [""]
        for word in words(text) {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = word
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(indent + word)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The words of a text; code between backticks is one word.
    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").reduce(into: []) { words, part in
            if let last = words.last, !last.count(where: { $0 == "`" }).isMultiple(of: 2) {
                words[words.count - 1] = last + " " + part
            } else {
                words.append(String(part))
            }
        }
    }
}
