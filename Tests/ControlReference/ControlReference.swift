import Base
import Control
import JSON
import PhoneCore

/// The parts of the documentation that are generated from the interface's own tables.
public enum ControlReference {
    /// A table of `docs/control.md`, between two comments with its name.
    public enum Table: String, CaseIterable, Sendable {
        case methods, events, errors

        public var text: String {
            switch self {
            case .methods: ControlReference.methods
            case .events: ControlReference.events
            case .errors: ControlReference.errors
            }
        }

        fileprivate var opening: String { "<!-- \(rawValue): written by offhook-reference -->\n" }
        fileprivate var closing: String { "<!-- end of \(rawValue) -->\n" }
    }

    /// `docs/openrpc.json`, one method or event a line.
    public static var openRPC: String {
        guard case .object(let members) = OpenRPC.document(version: ProgramVersion.text) else { return "" }
        let lines = members.sorted { $0.key < $1.key }.map { name, value in
            guard let elements = value.array else { return "\"\(name)\": \(value.text)" }
            return "\"\(name)\": [\n" + elements.map(\.text).joined(separator: ",\n") + "\n]"
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }

    /// The page with its tables generated again; nil if it lacks the place for one.
    public static func page(_ page: String) -> String? {
        var page = page
        for table in Table.allCases {
            guard let start = page.firstRange(of: table.opening)?.upperBound,
                let end = page[start...].firstRange(of: table.closing)?.lowerBound
            else { return nil }
            page.replaceSubrange(start..<end, with: table.text)
        }
        return page
    }

    /// Neighbouring methods with equal descriptions share a row.
    private static var methods: String {
        var rows: [(names: [String], rest: String)] = []
        for method in MethodName.allCases {
            let reference = method.reference
            let parameters = reference.parameters.map(words).joined(separator: ". ")
            let rest = "\(parameters) | \(reference.does) | \(cell(reference.result ?? "")) | \(method.scope.rawValue)"
            if rows.last?.rest == rest {
                rows[rows.count - 1].names.append(method.rawValue)
            } else {
                rows.append(([method.rawValue], rest))
            }
        }
        return table(["method", "parameters", "does", "result", "scope"], rows)
    }

    private static var events: String {
        var rows: [(names: [String], rest: String)] = []
        for event in EventName.allCases {
            let reference = event.reference
            let fields = reference.fields.map { "`\($0)`" } + reference.more.map { "optional `\($0)`" }
            let rest = "\(fields.joined(separator: ", ")) | \(reference.tells) | `\(cell(reference.example))`"
            if rows.last?.rest == rest {
                rows[rows.count - 1].names.append(event.rawValue)
            } else {
                rows.append(([event.rawValue], rest))
            }
        }
        return table(["event", "fields", "meaning", "example"], rows)
    }

    private static var errors: String {
        ErrorWord.allCases.reduce(into: "| `code` | `data.code` | meaning |\n|---|---|---|\n") { text, word in
            text += "| \(word.number.rawValue) | `\(word.rawValue)` | \(cell(word.explanation)) |\n"
        }
    }

    private static func table(_ heads: [String], _ rows: [(names: [String], rest: String)]) -> String {
        let head = "| \(heads.joined(separator: " | ")) |\n|" + heads.map { _ in "---|" }.joined() + "\n"
        return rows.reduce(head) { text, row in
            text + "| \(row.names.map { "`\($0)`" }.joined(separator: ", ")) | \(row.rest) |\n"
        }
    }

    private static func words(_ parameter: MethodParameter) -> String {
        let kind = parameter.kind.words
        let does = parameter.does.isEmpty ? kind : "\(parameter.does) (\(kind))"
        return "`\(parameter.name)`\(parameter.isRequired ? "" : ", optional"): \(does)"
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
