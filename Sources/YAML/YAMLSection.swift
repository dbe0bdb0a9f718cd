import Base

/// A type that is written as a mapping. It reads its keys from the section; any other key is an error.
///
/// ```swift
/// struct Hook: YAMLReadable {
///     let line: String
///     let debounce: Duration
///
///     init(from section: inout YAMLSection) throws(YAMLError) {
///         line = try section.required("line", .text())
///         debounce = try section.optional("debounce", .duration(in: .zero ... .seconds(1))) ?? .milliseconds(30)
///     }
/// }
/// ```
public protocol YAMLReadable: Sendable {
    init(from section: inout YAMLSection) throws(YAMLError)
}

/// A mapping that is read key by key. It remembers which keys were read.
public struct YAMLSection: Sendable {
    private let place: YAMLPlace
    private let entries: [String: YAMLNode.Entry]
    private let order: [YAMLNode.Entry]
    private var asked: Set<String> = []

    init(_ place: YAMLPlace, _ order: [YAMLNode.Entry]) {
        self.place = place
        self.order = order
        entries = Dictionary(uniqueKeysWithValues: order.map { ($0.key, $0) })
    }

    /// The keys from the root to this section, joined by dots; empty at the root. For messages after reading.
    public var path: String { place.path }

    public mutating func required<Value>(_ key: String, _ shape: YAMLShape<Value>) throws(YAMLError) -> Value {
        if let value = try value(key, shape, isRequired: true, usual: nil) { return value }
        let others = order.map(\.key).filter { !asked.contains($0) }
        let similar = Spelling.nearest(to: key, among: others)
        throw place.error(.missingKey(key, expected: shape.expectation, similar: similar))
    }

    /// - Returns: Nil if the key is absent. A key without a value is an error and does not count as absent.
    public mutating func optional<Value>(_ key: String, _ shape: YAMLShape<Value>) throws(YAMLError) -> Value? {
        try value(key, shape, isRequired: false, usual: nil)
    }

    /// A key with a default.
    /// - Parameters:
    ///   - written: The default as YAML, where the shape cannot write it.
    ///   - varies: Whether the default differs between machines.
    public mutating func optional<Value>(
        _ key: String, _ shape: YAMLShape<Value>, usual: Value, written: String? = nil, varies: Bool = false
    ) throws(YAMLError) -> Value {
        // Only a record needs the text.
        let text = place.record == nil ? nil : written ?? shape.write(usual)
        return try value(key, shape, isRequired: false, usual: text, varies: varies) ?? usual
    }

    /// A section whose keys all have defaults, so that it may be missing.
    public mutating func section<Value: YAMLReadable>(_ key: String) throws(YAMLError) -> Value {
        let shape = YAMLShape.section(Value.self)
        if let value = try value(key, shape, isRequired: false, usual: nil) { return value }
        return try shape.read(place.child(key, YAMLNode(content: .mapping([]), mark: place.node.mark)))
    }

    private mutating func value<Value>(
        _ key: String, _ shape: YAMLShape<Value>, isRequired: Bool, usual: String?, varies: Bool = false
    ) throws(YAMLError) -> Value? {
        asked.insert(key)
        place.record?.note(
            YAMLKey(
                steps: place.steps + [.key(key)], form: shape.form, isAsked: true, isRequired: isRequired,
                usual: usual, varies: varies, node: entries[key]?.value))
        guard let entry = entries[key] else { return nil }
        return try shape.read(place.child(key, entry.value))
    }

    /// An error for values that are valid alone but not together, at `key` if it is present.
    public func error(_ key: String, _ reason: String) -> YAMLError {
        guard let entry = entries[key] else {
            return YAMLError(
                file: place.file, mark: place.node.mark, path: place.path, problem: .invalid(reason), absentKey: key)
        }
        return place.child(key, entry.value).error(.invalid(reason))
    }

    /// The same error as from `error`, for a fault that shows only after reading more than this text. Nil: the mapping
    /// at `key` has no such entry.
    public func error(_ key: String, entry: String, _ reason: String) -> YAMLError? {
        guard let value = entries[key]?.value, case .mapping(let inner) = value.content,
            let wrong = inner.first(where: { $0.key == entry })
        else { return nil }
        return place.child(key, value).child(entry, wrong.value).error(.invalid(reason), at: wrong.mark)
    }

    func refuseUnknownKeys() throws(YAMLError) {
        guard let unknown = order.first(where: { !asked.contains($0.key) }) else { return }
        let absent = asked.filter { entries[$0] == nil }.sorted()
        let suggestion = Spelling.nearest(to: unknown.key, among: absent)
        throw place.error(.unknownKey(unknown.key, suggestion: suggestion), at: unknown.mark)
    }
}

/// A value with its file and key path, so that an error can name them.
struct YAMLPlace {
    let file: String
    let steps: [YAMLKey.Step]
    let node: YAMLNode
    /// Nil: nobody wants to know the keys.
    let record: YAMLRecord?

    var path: String { steps.path }

    func child(_ key: String, _ node: YAMLNode) -> YAMLPlace {
        YAMLPlace(file: file, steps: steps + [.key(key)], node: node, record: record)
    }

    func element(_ index: Int, _ node: YAMLNode) -> YAMLPlace {
        YAMLPlace(file: file, steps: steps + [.element(index)], node: node, record: record)
    }

    /// Notes this value, which is an element of a list or an entry of a table.
    func note(_ form: YAMLForm) {
        record?.note(
            YAMLKey(steps: steps, form: form, isAsked: false, isRequired: false, usual: nil, varies: false, node: node))
    }

    func error(_ problem: YAMLError.Problem, at mark: YAMLMark? = nil) -> YAMLError {
        YAMLError(file: file, mark: mark ?? node.mark, path: path, problem: problem)
    }

    func error(expected: String) -> YAMLError { error(.expected(expected, found: node.summary)) }
}
