import Base

/// The written form of a value, for tools that explain a configuration or complete it.
public struct YAMLForm: Sendable {
    public enum Kind: Sendable {
        /// One word or number. `pattern` is a regular expression (ECMA-262) for the whole text; nil: any text.
        case text(lengths: ClosedRange<Int>?, pattern: String?)
        case bool
        case integer(lower: String, upper: String)
        case duration
        case choice([String])
        /// The keys, in the order in which they are read.
        case section(@Sendable () -> [YAMLKey])
        indirect case list(of: YAMLForm, count: ClosedRange<Int>)
        indirect case table(of: YAMLForm, to: YAMLForm, count: ClosedRange<Int>)
        case oneOf([YAMLForm])
    }

    /// Completes the sentence "expected …".
    public let expectation: String
    public let kind: Kind
    /// A value of this form; nil: none is known.
    let example: @Sendable () -> YAMLNode.Content?
    /// Whether the value must not be shown.
    public var isSecret = false

    init(_ expectation: String, _ kind: Kind, example: @escaping @Sendable () -> YAMLNode.Content?) {
        (self.expectation, self.kind, self.example) = (expectation, kind, example)
    }

    init(_ expectation: String, _ kind: Kind, example: String?) {
        self.init(expectation, kind) { example.map { .scalar($0, plain: true) } }
    }
}

extension YAMLForm {
    /// The description of a wrong value in an error, with the value that was probably meant.
    func found(_ node: YAMLNode) -> String {
        node.summary + (hint(for: node).map { " (\($0))" } ?? "")
    }

    private func hint(for node: YAMLNode) -> String? {
        guard case .scalar(let text, let plain) = node.content else { return nil }
        switch kind {
        case .choice(let words):
            let same = words.first { $0.lowercased() == text.lowercased() }
            return (same ?? Spelling.nearest(to: text, among: words)).map { "did you mean \(YAMLError.quoted($0))?" }
        case .bool:
            let word = text.lowercased()
            if ["true", "yes", "on"].contains(word) { return "did you mean true?" }
            return ["false", "no", "off"].contains(word) ? "did you mean false?" : nil
        case .integer: return !plain && Int(text) != nil ? "write it without quotes" : nil
        case .duration:
            return plain && Int(text) != nil ? "the unit is missing, such as s in \(text) s" : nil
        case .text, .section, .list, .table, .oneOf: return nil
        }
    }
}

/// A key of a section, as one reading of a text met it.
public struct YAMLKey: Sendable {
    /// A step on the way from the root to a value.
    public enum Step: Hashable, Sendable {
        case key(String)
        /// An element of a list, counted from 0.
        case element(Int)
    }

    public let steps: [Step]
    public let form: YAMLForm
    /// Whether a section asked for it. The other values are elements of lists and entries of tables.
    public let isAsked: Bool
    public let isRequired: Bool
    /// The value of an absent key, as YAML. Nil: the key has none, or it is not known.
    public let usual: String?
    /// Whether the default differs between machines.
    public let varies: Bool
    /// The value in the text. Nil: the key is absent.
    public let node: YAMLNode?

    /// The steps as in errors, such as `paging.groups[2].port`.
    public var path: String { Self.path(of: steps) }

    public static func path(of steps: [Step]) -> String { steps.path }

    /// The value in the text as YAML on one line. Nil: the key is absent.
    public var text: String? { node?.text }
}

extension [YAMLKey.Step] {
    package var path: String {
        reduce(into: "") { path, step in
            switch step {
            case .key(let key): path += path.isEmpty ? key : ".\(key)"
            case .element(let index): path += "[\(index + 1)]"
            }
        }
    }
}
