/// The help of a command, in lines of 80 columns.
struct CommandHelp {
    private static let width = 80
    /// The column at which the texts of a list begin.
    private static let indent = 26

    let path: [Command]

    private var command: Command { path[path.count - 1] }

    /// The names, such as `offhook ctl dial`.
    var words: String { path.map(\.name).joined(separator: " ") }

    var usage: String { "Usage: \(synopsis)" }

    private var synopsis: String {
        guard !command.isGroup else { return words + " <command>" }
        let needed = command.parameters.filter { $0.kind == .argument || $0.isRequired }
        let hasOptions = command.parameters.contains { $0.kind != .argument && !$0.isRequired }
        return ([words] + (hasOptions ? ["[options]"] : []) + needed.map(\.usage)).joined(separator: " ")
    }

    var text: String {
        let discussion = command.discussion.split(separator: "\n").map { Self.wrapped(String($0)) }
        let overview = [Self.wrapped("OVERVIEW: " + command.purpose)] + discussion
        var parts = [overview.joined(separator: "\n\n"), Self.wrapped("USAGE: " + synopsis, indent: 7)]
        let arguments = command.parameters.filter { $0.kind == .argument }
        parts.append(Self.list("Arguments", arguments.map(Self.row)))
        let options = command.parameters.filter { $0.kind != .argument }.map(Self.row)
        let version = path.count == 1 ? [("--version", "Show the version.")] : []
        parts.append(Self.list("Options", options + version + [("-h, --help", "Show this help.")]))
        for section in command.sections {
            let rows = section.commands.map { ($0.name + ($0.name == command.usual ? " (default)" : ""), $0.purpose) }
            parts.append(Self.list(section.title, rows))
        }
        if command.isGroup { parts.append("  See '\(words) <command> --help' for detailed help.") }
        if !command.example.isEmpty {
            let lines = command.example.split(separator: "\n").map { "  " + $0 }
            parts.append("EXAMPLE:\n" + lines.joined(separator: "\n"))
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static func row(_ parameter: Parameter) -> (String, String) {
        let value = parameter.kind == .option ? " <\(parameter.valueName)>" : ""
        let head = parameter.kind == .argument ? parameter.title : parameter.spellings.joined(separator: ", ") + value
        let choices = parameter.choices.isEmpty ? "" : " One of \(parameter.choices.joined(separator: ", "))."
        let usual = parameter.usual.map { " Default: \($0)." } ?? ""
        return (head, parameter.help + choices + usual)
    }

    private static func list(_ title: String, _ rows: [(String, String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = rows.map { head, text in
            let gap = max(2, indent - 2 - head.count)
            // A long name has its text on the next line.
            let start = "  " + head + (gap == 2 ? "\n" + blanks(indent) : blanks(gap))
            return start + wrapped(text, indent: indent, from: indent)
        }
        return "\(title.uppercased()):\n" + lines.joined(separator: "\n")
    }

    /// Text in lines that fit.
    /// - Parameters:
    ///   - indent: The indentation of all lines after the first.
    ///   - column: The column at which the first line begins.
    private static func wrapped(_ text: String, indent: Int = 0, from column: Int = 0) -> String {
        var (lines, column) = ("", column)
        for word in text.split(separator: " ") {
            let gap = lines.isEmpty ? 0 : 1
            if column + gap + word.count <= width {
                lines += blanks(gap) + word
                column += gap + word.count
            } else {
                lines += "\n" + blanks(indent) + word
                column = indent + word.count
            }
        }
        return lines
    }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
