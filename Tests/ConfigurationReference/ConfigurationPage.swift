/// A page of the configuration reference, such as `docs/user/configuration/sip.md`.
public struct ConfigurationPage: Sendable {
    /// A key of the configuration, or of a board file.
    public struct Row: Sendable {
        /// The path of keys, such as `sip.tls.port`. `N`, `NAME` and `ROUTE` stand for a name, `LINE` for any line of a
        /// board, and `[]` for an entry of a list.
        public let key: String
        /// The value without the key, or `required`.
        public let usual: String
        /// At most 25 words.
        public let meaning: String

        init(_ key: String, _ usual: String, _ meaning: String) {
            (self.key, self.usual, self.meaning) = (key, usual, meaning)
        }

        fileprivate var text: String { "| `\(key)` | \(usual) | \(meaning) |\n" }
    }

    public struct Table: Sendable {
        /// Empty: the table is the only one of its page.
        public let heading: String
        public let rows: [Row]

        init(_ heading: String, _ rows: [Row]) { (self.heading, self.rows) = (heading, rows) }

        fileprivate var text: String {
            rows.reduce((heading.isEmpty ? "" : "### \(heading)\n\n") + "| key | default | meaning |\n|---|---|---|\n")
            {
                $0 + $1.text
            }
        }
    }

    /// The file's name without `.md`.
    public let name: String
    public let title: String
    /// The subject of the page, for the list of all pages.
    public let summary: String
    /// The effect of the example.
    public let task: String
    /// YAML; empty: the page has none. Everything that is required is there, or in `index`.
    public let example: String
    /// Commands to copy; empty: none.
    public let commands: String
    public let introduction: String
    public let tables: [Table]
    public let details: String

    public var file: String { name + ".md" }

    /// The page as Markdown.
    public var text: String {
        var parts = ["<!-- Written by offhook-reference from Tests/ConfigurationReference. Do not edit. -->"]
        parts += ["# \(title)", task]
        if !example.isEmpty { parts.append("```yaml\n\(example)\n```") }
        if !commands.isEmpty { parts.append("```\n\(commands)\n```") }
        parts.append(introduction)
        if !tables.isEmpty { parts.append("## Keys") }
        parts += tables.map { String($0.text.dropLast()) }
        parts.append(details)
        if name != Self.index.name { parts.append("All sections: [Configuration](\(Self.index.file))") }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }
}
