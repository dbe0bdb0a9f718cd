import Base
import JSON

/// Prepares foreign text for a terminal and a table.
enum TerminalText {
    /// Removes everything that a terminal would interpret: control characters, and marks that change the direction of
    /// writing.
    static func clean(_ text: String) -> String { text.withoutCommands }

    /// Formats a value: a text unchanged, everything else as JSON.
    static func of(_ value: JSONValue) -> String {
        if case .string(let text) = value { clean(text) } else { clean(value.text) }
    }

    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Columns as wide as their widest cell, two spaces between them.
    static func table(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0
        }
        return rows.map { row in
            let last = row.lastIndex { !$0.isEmpty } ?? 0
            let cells = zip(row, widths).prefix(last).map { padded($0, to: $1) } + row.dropFirst(last).prefix(1)
            return cells.joined(separator: "  ")
        }
    }

    /// `onHook` → `on hook`.
    static func words(_ name: String) -> String {
        clean(name.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined())
    }
}
