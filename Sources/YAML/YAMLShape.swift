/// The form that a value must have, and how to make a `Value` of it.
public struct YAMLShape<Value>: Sendable {
    /// Completes the sentence "expected …".
    public let expectation: String
    let read: @Sendable (YAMLPlace) throws(YAMLError) -> Value

    /// A shape of one word or number. `parse` gives nil for text that does not fit.
    ///
    /// - Parameter quotable: Whether text in quotes is accepted too; false for numbers.
    public static func scalar(
        _ expectation: String, quotable: Bool = true, _ parse: @escaping @Sendable (String) -> Value?
    ) -> YAMLShape {
        YAMLShape(expectation: expectation) { place throws(YAMLError) in
            guard case .scalar(let text, let plain) = place.node.content, place.node.summary != "nothing",
                plain || quotable, let value = parse(text)
            else { throw place.error(expected: expectation) }
            return value
        }
    }

    /// A section with its own keys.
    public static func section(_: Value.Type = Value.self) -> YAMLShape where Value: YAMLReadable {
        let expectation = "a section"
        return YAMLShape(expectation: expectation) { place throws(YAMLError) in
            guard case .mapping(let entries) = place.node.content else { throw place.error(expected: expectation) }
            var section = YAMLSection(place, entries)
            let value = try Value(from: &section)
            try section.refuseUnknownKeys()
            return value
        }
    }

    /// A list whose elements all have one shape.
    public static func list<Element>(of element: YAMLShape<Element>, count: ClosedRange<Int>) -> YAMLShape
    where Value == [Element] {
        let expectation = "a list of \(count.shown), each \(element.expectation)"
        return YAMLShape(expectation: expectation) { place throws(YAMLError) in
            guard case .sequence(let nodes) = place.node.content else { throw place.error(expected: expectation) }
            guard count.contains(nodes.count) else {
                throw place.error(.expected(expectation, found: "\(nodes.count)"))
            }
            var elements: [Element] = []
            for (index, node) in nodes.enumerated() { elements.append(try element.read(place.element(index, node))) }
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
        return YAMLShape(expectation: expectation) { place throws(YAMLError) in
            guard case .mapping(let entries) = place.node.content else { throw place.error(expected: expectation) }
            guard count.contains(entries.count) else {
                throw place.error(.expected(expectation, found: "\(entries.count)"))
            }
            var seen: Set<Key> = []
            var table: Value = []
            for entry in entries {
                let node = YAMLNode(content: .scalar(entry.key, plain: true), mark: entry.mark)
                let name = try key.read(YAMLPlace(file: place.file, path: place.path, node: node))
                guard seen.insert(name).inserted else {
                    throw place.error(.invalid("\(YAMLError.quoted(entry.key)) appears twice"), at: entry.mark)
                }
                table.append((name, try element.read(place.child(entry.key, entry.value))))
            }
            return table
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var shown: String { lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)" }
}
