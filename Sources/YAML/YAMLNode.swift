/// A position in a text: line and column, both counted from 1; the column in characters.
public struct YAMLMark: Equatable, Sendable {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A value in a YAML text and its position.
public struct YAMLNode: Equatable, Sendable {
    public enum Content: Equatable, Sendable {
        /// `plain` is false for text in quotes or in a block, which is certainly text.
        case scalar(String, plain: Bool)
        case sequence([YAMLNode])
        /// The entries in the order of the file; no key comes twice.
        case mapping([Entry])
    }

    public struct Entry: Equatable, Sendable {
        public let key: String
        public let mark: YAMLMark
        public let value: YAMLNode
    }

    public let content: Content
    public let mark: YAMLMark
}

extension YAMLNode {
    /// The description of this value in an error: short, on one line, and without characters that move a terminal's
    /// cursor.
    var summary: String {
        switch content {
        case .scalar("", plain: true), .scalar("~", plain: true), .scalar("null", plain: true): "nothing"
        case .scalar(let text, _): YAMLError.quoted(text)
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
