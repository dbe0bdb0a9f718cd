/// The form that a value must have, and how to make a `Value` of it.
public struct YAMLShape<Value>: Sendable {
    public let form: YAMLForm
    let read: @Sendable (YAMLPlace) throws(YAMLError) -> Value
    /// A value as YAML; nil: the shape cannot write it.
    let write: @Sendable (Value) -> String?

    /// Completes the sentence "expected …".
    public var expectation: String { form.expectation }

    init(
        _ form: YAMLForm, write: @escaping @Sendable (Value) -> String? = { _ in nil },
        read: @escaping @Sendable (YAMLPlace) throws(YAMLError) -> Value
    ) {
        (self.form, self.read, self.write) = (form, read, write)
    }

    /// A shape of one word or number. `parse` gives nil for text that does not fit.
    ///
    /// - Parameters:
    ///   - quotable: Whether text in quotes is accepted too; false for numbers.
    ///   - example: A text that fits.
    ///   - pattern: A regular expression (ECMA-262) that accepts at least the texts that fit.
    ///   - words: All texts that fit, if they are few.
    public static func scalar(
        _ expectation: String, quotable: Bool = true, example: String? = nil, pattern: String? = nil,
        words: [String]? = nil, _ parse: @escaping @Sendable (String) -> Value?
    ) -> YAMLShape {
        let kind = words.map { YAMLForm.Kind.choice($0) } ?? .text(lengths: nil, pattern: pattern)
        return scalar(YAMLForm(expectation, kind, example: example ?? words?.first), quotable: quotable, parse: parse)
    }

    static func scalar(
        _ form: YAMLForm, quotable: Bool = true, write: @escaping @Sendable (Value) -> String? = { _ in nil },
        parse: @escaping @Sendable (String) -> Value?
    ) -> YAMLShape {
        YAMLShape(form, write: write) { place throws(YAMLError) in
            guard case .scalar(let text, let plain) = place.node.content, place.node.summary != "nothing",
                plain || quotable, let value = parse(text)
            else { throw place.error(.expected(form.expectation, found: form.found(place.node))) }
            return value
        }
    }

    /// The same shape for a value that must not be shown, not even in errors.
    public var secret: YAMLShape {
        var form = form
        form.isSecret = true
        return YAMLShape(form, write: write) { place throws(YAMLError) in
            do throws(YAMLError) {
                return try read(place)
            } catch {
                guard case .expected(let expectation, _) = error.problem else { throw error }
                throw place.error(.expected(expectation, found: "another value"), at: error.mark)
            }
        }
    }

    /// A section with its own keys.
    public static func section(_: Value.Type = Value.self) -> YAMLShape where Value: YAMLReadable {
        section { section throws(YAMLError) in try Value(from: &section) }
    }

    /// A section with the keys that `make` reads.
    public static func section(
        _ make: @escaping @Sendable (inout YAMLSection) throws(YAMLError) -> Value
    ) -> YAMLShape {
        @Sendable func read(_ place: YAMLPlace) throws(YAMLError) -> Value {
            guard case .mapping(let entries) = place.node.content else { throw place.error(expected: "a section") }
            var section = YAMLSection(place, entries)
            let value = try make(&section)
            try section.refuseUnknownKeys()
            return value
        }
        return YAMLShape(.section { place throws(YAMLError) in _ = try read(place) }, read: read)
    }

    /// A list whose elements all have one shape.
    public static func list<Element>(of element: YAMLShape<Element>, count: ClosedRange<Int>) -> YAMLShape
    where Value == [Element] {
        let expectation = "a list of \(count.shown), each \(element.expectation)"
        let form = YAMLForm(expectation, .list(of: element.form, count: count)) {
            guard let one = element.form.example() else { return count.lowerBound == 0 ? .sequence([]) : nil }
            let node = YAMLNode(content: one, mark: YAMLMark(line: 0, column: 0))
            return .sequence(Array(repeating: node, count: count.lowerBound))
        }
        @Sendable func write(_ value: Value) -> String? {
            let texts = value.compactMap(element.write)
            return texts.count == value.count ? "[" + texts.joined(separator: ", ") + "]" : nil
        }
        return YAMLShape(form, write: write) { place throws(YAMLError) in
            guard case .sequence(let nodes) = place.node.content else { throw place.error(expected: expectation) }
            guard count.contains(nodes.count) else {
                throw place.error(.expected(expectation, found: "\(nodes.count)"))
            }
            var elements: [Element] = []
            for (index, node) in nodes.enumerated() {
                let place = place.element(index, node)
                place.note(element.form)
                elements.append(try element.read(place))
            }
            return elements
        }
    }

    /// A mapping whose keys the file's author chooses, in the order of the file.
    ///
    /// - Parameter key: The shape of a key; the resulting `Key`s must differ.
    public static func table<Key: Hashable & Sendable, Element>(
        of key: YAMLShape<Key>, to element: YAMLShape<Element>, count: ClosedRange<Int>
    ) -> YAMLShape where Value == [(key: Key, value: Element)] {
        let expectation = "a mapping of \(count.shown), each from \(key.expectation) to \(element.expectation)"
        let form = YAMLForm(expectation, .table(of: key.form, to: element.form, count: count)) {
            count.lowerBound == 0 ? .mapping([]) : Self.entry(key.form, element.form)
        }
        return YAMLShape(form, write: { $0.isEmpty ? "{}" : nil }) { place throws(YAMLError) in
            guard case .mapping(let entries) = place.node.content else { throw place.error(expected: expectation) }
            guard count.contains(entries.count) else {
                throw place.error(.expected(expectation, found: "\(entries.count)"))
            }
            var seen: Set<Key> = []
            var table: Value = []
            for entry in entries {
                let node = YAMLNode(content: .scalar(entry.key, plain: true), mark: entry.mark)
                let name = try key.read(YAMLPlace(file: place.file, steps: place.steps, node: node, record: nil))
                guard seen.insert(name).inserted else {
                    throw place.error(.invalid("\(YAMLError.quoted(entry.key)) appears twice"), at: entry.mark)
                }
                let value = place.child(entry.key, entry.value)
                value.note(element.form)
                table.append((name, try element.read(value)))
            }
            return table
        }
    }

    /// A table with one entry.
    private static func entry(_ key: YAMLForm, _ element: YAMLForm) -> YAMLNode.Content? {
        guard case .scalar(let name, _) = key.example(), let content = element.example() else { return nil }
        let mark = YAMLMark(line: 0, column: 0)
        return .mapping([.init(key: name, mark: mark, value: YAMLNode(content: content, mark: mark))])
    }
}

extension ClosedRange<Int> {
    fileprivate var shown: String { lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)" }
}
