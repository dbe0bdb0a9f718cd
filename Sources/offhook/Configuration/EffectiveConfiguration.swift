import YAML

/// The values that a configuration has in effect: those of the file, and the defaults of all other keys.
package struct EffectiveConfiguration: Sendable {
    package struct Value: Sendable {
        package let steps: [YAMLKey.Step]
        /// As YAML on one line.
        fileprivate let node: YAMLNode
        /// The line in the file. Nil: the default.
        package let line: Int?
        fileprivate let isSecret: Bool

        package var path: String { steps.path }
        package var text: String { isSecret ? "\"(not shown)\"" : node.text }
    }

    /// In the order in which the program reads them.
    package let values: [Value]

    package init(_ document: YAMLDocument) throws(YAMLError) {
        let keys = try document.keys(of: Configuration.self)
        // A list or a mapping that has keys is shown by its parts.
        let open = Set(
            keys.filter(\.isAsked).flatMap { key in
                key.steps.indices.map { Array(key.steps[..<$0]) }
            })
        var values: [Value] = []
        for key in keys where !open.contains(key.steps) {
            guard key.isAsked || open.contains(Array(key.steps.dropLast())) else { continue }
            if let node = key.node {
                values.append(
                    Value(steps: key.steps, node: node, line: node.mark.line, isSecret: key.form.isSecret))
            } else if let usual = key.usual {
                let node = try YAMLDocument(Array(usual.utf8), file: document.file).root
                values.append(Value(steps: key.steps, node: node, line: nil, isSecret: key.form.isSecret))
            }
        }
        self.values = values
    }

    /// The paths whose values differ from those of another configuration, sorted. A default that comes or goes with its
    /// section does not count as another change.
    package func changes(from other: EffectiveConfiguration) -> [[YAMLKey.Step]] {
        let (old, new) = (other.byPath, byPath)
        return Set(old.keys).union(new.keys).filter { path in
            switch (old[path], new[path]) {
            case (let old?, let new?): !old.node.isSame(as: new.node)
            case (let one?, nil), (nil, let one?): one.line != nil
            case (nil, nil): false
            }
        }.sorted { $0.path < $1.path }
    }

    private var byPath: [[YAMLKey.Step]: Value] {
        Dictionary(values.map { ($0.steps, $0) }) { first, _ in first }
    }

    /// The configuration as YAML.
    /// - Parameter origin: Whether to add where each value comes from.
    package func text(origin: Bool) -> String {
        var tree = Tree()
        for value in values {
            tree.insert(value, at: value.steps[...])
        }
        return tree.lines.map { text, line in
            guard origin, let line else { return text + "\n" }
            let pad = String(repeating: " ", count: max(1, 44 - text.count))
            return text + pad + (line > 0 ? "# line \(line)" : "# default") + "\n"
        }.joined()
    }
}

/// The values as a tree, to write them as YAML.
private struct Tree {
    private var branches: [(step: YAMLKey.Step, tree: Tree)] = []
    private var value: EffectiveConfiguration.Value?

    mutating func insert(_ value: EffectiveConfiguration.Value, at steps: ArraySlice<YAMLKey.Step>) {
        guard let step = steps.first else {
            self.value = value
            return
        }
        if !branches.contains(where: { $0.step == step }) { branches.append((step, Tree())) }
        guard let index = branches.firstIndex(where: { $0.step == step }) else { return }
        branches[index].tree.insert(value, at: steps.dropFirst())
    }

    /// The lines, each with the line in the file that has its value. 0: its value is the default. Nil: it has none.
    var lines: [(text: String, origin: Int?)] {
        branches.flatMap { step, tree -> [(text: String, origin: Int?)] in
            switch (step, tree.value) {
            case (.key(let key), let value?): [(YAMLNode.word(key) + ": " + value.text, value.line ?? 0)]
            case (.key(let key), nil):
                [(YAMLNode.word(key) + ":", nil)] + tree.lines.map { ("  " + $0.text, $0.origin) }
            case (.element, let value?): [("- " + value.text, value.line ?? 0)]
            case (.element, nil):
                tree.lines.enumerated().map { (($0 == 0 ? "- " : "  ") + $1.text, $1.origin) }
            }
        }
    }
}

extension YAMLNode {
    /// Whether the values are equal, wherever they are written and with or without quotes.
    fileprivate func isSame(as other: YAMLNode) -> Bool {
        switch (content, other.content) {
        case (.scalar(let one, _), .scalar(let two, _)): one == two
        case (.sequence(let one), .sequence(let two)): one.elementsEqual(two) { $0.isSame(as: $1) }
        case (.mapping(let one), .mapping(let two)):
            one.count == two.count
                && one.allSatisfy { entry in
                    two.contains { $0.key == entry.key && $0.value.isSame(as: entry.value) }
                }
        case (.scalar, _), (.sequence, _), (.mapping, _): false
        }
    }
}
