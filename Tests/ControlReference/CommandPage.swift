import JSON

/// `docs/user/commands.md`, made of the table that `offhook help --json` prints.
public enum CommandPage {
    /// Options that most commands have. The page explains them once.
    private static let common = ["config", "socket", "json"]
    private static let width = 100

    /// The whole page.
    /// - Parameter program: What `offhook help --json` prints.
    public static func text(of program: JSONValue) -> String {
        let sections = program.list("commands").map { section($0, [program.text("name")], depth: 2) }
        return opening + "\n" + sections.joined(separator: "\n")
    }

    /// A command, or a group of commands.
    private static func section(_ command: JSONValue, _ before: [String], depth: Int) -> String {
        let path = before + [command.text("name")]
        let words = path.joined(separator: " ")
        let texts = [command.text("purpose"), command.text("discussion")].filter { !$0.isEmpty }
        var parts = [String(repeating: "#", count: depth) + " " + words, prose(texts)]
        let inner = command.list("commands")
        if inner.isEmpty {
            parts += body(command, words)
        } else {
            parts += inner.map { String(section($0, path, depth: min(depth + 1, 4)).dropLast()) }
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// Usage, options and an example of one command.
    private static func body(_ command: JSONValue, _ words: String) -> [String] {
        let parameters = command.list("parameters").map(CommandParameter.init)
        let own = parameters.filter { !common.contains($0.name) }
        let usual = common.filter { name in parameters.contains { $0.name == name } }
        let needed = own.filter(\.isInUsage).map { $0.synopsis(value: $0.value.uppercased()) }
        let hasOptions = own.contains { !$0.isInUsage }
        let usage = [words] + needed + (hasOptions ? ["[options]"] : [])
        var parts = ["```\n\(usage.joined(separator: " "))\n```"]
        parts.append(own.map(item).joined(separator: "\n"))
        if !usual.isEmpty {
            parts.append("Common options: \(usual.map { "`--\($0)`" }.joined(separator: ", ")).")
        }
        let example = command.text("example")
        if !example.isEmpty { parts.append("Example:\n\n```\n\(example)\n```") }
        return parts
    }

    /// A line of the list of parameters.
    private static func item(_ parameter: CommandParameter) -> String {
        let value = parameter.value.uppercased()
        let suffix = parameter.kind == "option" ? " " + value : ""
        let forms = parameter.kind == "argument" ? [value] : parameter.spellings
        let head = forms.map { "`\($0)\(suffix)`" }.joined(separator: ", ")
        return wrapped("- \(head): " + parameter.help { "`\($0)`" }, indent: "  ")
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

/// A parameter of a command, as `offhook help --json` describes it.
struct CommandParameter {
    let kind: String
    let name: String
    /// The name of the value.
    let value: String
    let spellings: [String]
    private let table: JSONValue

    init(_ table: JSONValue) {
        (kind, name, value) = (table.text("kind"), table.text("name"), table.text("value"))
        spellings = table.list("spellings").compactMap(\.string)
        self.table = table
    }

    private var isRequired: Bool { table["isRequired"] == true }
    /// Whether a line of usage names it; all others are options.
    var isInUsage: Bool { kind == "argument" || isRequired }

    /// - Parameter value: The name of the value.
    func synopsis(value: String) -> String {
        let word = kind == "argument" ? value : "\(spellings.last ?? "") \(value)"
        let all = table["isRepeated"] == true ? word + " ..." : word
        return isRequired ? all : "[\(all)]"
    }

    /// The help, with choices and default.
    /// - Parameter code: Marks a text as code.
    func help(code: (String) -> String) -> String {
        let choices = table.list("choices").compactMap(\.string).map(code)
        let texts = [
            table.text("help"), choices.isEmpty ? "" : "One of \(choices.joined(separator: ", ")).",
            table["usual"]?.string.map { "Default: \(code($0))." } ?? "",
        ]
        return texts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension JSONValue {
    /// A text of a table; empty if there is none.
    func text(_ key: String) -> String { self[key]?.string ?? "" }

    func list(_ key: String) -> [JSONValue] { self[key]?.array ?? [] }
}
