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

/// Values by their way from the root, and documents with one value changed.
extension YAMLNode {
    package func value(at steps: some Collection<YAMLKey.Step>) -> YAMLNode? {
        guard let step = steps.first else { return self }
        switch (step, content) {
        case (.key(let key), .mapping(let entries)):
            return entries.first { $0.key == key }?.value.value(at: steps.dropFirst())
        case (.element(let index), .sequence(let nodes)):
            return nodes.indices.contains(index) ? nodes[index].value(at: steps.dropFirst()) : nil
        case (.key, _), (.element, _): return nil
        }
    }

    /// Nil: there is no place for the value.
    package func setting(_ steps: some Collection<YAMLKey.Step>, to node: YAMLNode) -> YAMLNode? {
        guard let step = steps.first else { return node }
        switch (step, content) {
        case (.key(let key), .mapping(var entries)):
            if let index = entries.firstIndex(where: { $0.key == key }) {
                guard let value = entries[index].value.setting(steps.dropFirst(), to: node) else { return nil }
                entries[index] = Entry(key: key, mark: entries[index].mark, value: value)
            } else {
                let empty = YAMLNode(content: .mapping([]), mark: node.mark)
                guard let value = empty.setting(steps.dropFirst(), to: node) else { return nil }
                entries.append(Entry(key: key, mark: node.mark, value: value))
            }
            return YAMLNode(content: .mapping(entries), mark: mark)
        case (.element(let index), .sequence(var nodes)):
            guard nodes.indices.contains(index), let value = nodes[index].setting(steps.dropFirst(), to: node) else {
                return nil
            }
            nodes[index] = value
            return YAMLNode(content: .sequence(nodes), mark: mark)
        case (.key, _), (.element, _): return nil
        }
    }

    /// Nil: there is no such value.
    package func removing(_ steps: some Collection<YAMLKey.Step>) -> YAMLNode? {
        let steps = Array(steps)
        guard let last = steps.last, let parent = value(at: steps.dropLast()) else { return nil }
        switch (last, parent.content) {
        case (.key(let key), .mapping(let entries)):
            guard entries.contains(where: { $0.key == key }) else { return nil }
            return setting(
                steps.dropLast(),
                to: YAMLNode(content: .mapping(entries.filter { $0.key != key }), mark: parent.mark))
        case (.element(let index), .sequence(var nodes)):
            guard nodes.indices.contains(index) else { return nil }
            nodes.remove(at: index)
            return setting(steps.dropLast(), to: YAMLNode(content: .sequence(nodes), mark: parent.mark))
        case (.key, _), (.element, _): return nil
        }
    }

    /// Nil: there is no such key in the mapping.
    func renaming(_ key: String, to other: String, in steps: [YAMLKey.Step]) -> YAMLNode? {
        guard let node = value(at: steps), case .mapping(var entries) = node.content,
            let index = entries.firstIndex(where: { $0.key == key })
        else { return nil }
        entries[index] = Entry(key: other, mark: entries[index].mark, value: entries[index].value)
        return setting(steps, to: YAMLNode(content: .mapping(entries), mark: node.mark))
    }
}

extension YAMLNode {
    /// The value as YAML on one line. Reading it gives an equal value.
    package var text: String {
        switch content {
        case .scalar(let text, let plain): plain ? text : YAMLNode.quoted(text)
        case .sequence(let nodes): "[" + nodes.map(\.inner).joined(separator: ", ") + "]"
        case .mapping(let entries):
            entries.isEmpty
                ? "{}"
                : "{ "
                    + entries.map { "\(YAMLNode.word($0.key)): \($0.value.inner)" }.joined(separator: ", ") + " }"
        }
    }

    /// The value within a list or a mapping on one line, where more characters need quotes.
    private var inner: String {
        guard case .scalar(let text, plain: true) = content else { return self.text }
        return text.contains { ",[]{}".contains($0) } || text.isEmpty ? YAMLNode.quoted(text) : text
    }

    /// A key, in quotes unless it consists of harmless characters.
    package static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
        return isPlain && text != "-" && !text.hasPrefix("---") ? text : quoted(text)
    }

    /// Text as a person writes it: with quotes only if necessary.
    package static func written(_ text: String) -> String {
        func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
        guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "/") else { return quoted(text) }
        let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
        let isPlain = text.utf8.allSatisfy {
            isLetter($0) || (0x30...0x39).contains($0) || "/._-".utf8.contains($0)
        }
        return isPlain && !words.contains(text.lowercased()) ? text : quoted(text)
    }

    /// Text in double quotes.
    package static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\t": "\\t"
            default:
                scalar.value < 0x20 || scalar.value == 0x7F
                    ? "\\x" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16) : String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
