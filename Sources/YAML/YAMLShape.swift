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

extension YAMLShape {
    /// A value that may be written in several forms: as a word, a list or a mapping.
    ///
    /// The form in the file reports its own errors. A form that is not allowed is an error.
    public static func oneOf(
        word: YAMLShape, list: YAMLShape? = nil, mapping: YAMLShape? = nil
    ) -> YAMLShape {
        let forms = [word, list, mapping].compactMap { $0?.form }
        let expectation = forms.map(\.expectation).joined(separator: ", or ")
        let form = YAMLForm(expectation, .oneOf(forms), example: word.form.example)
        return YAMLShape(form, write: word.write) { place throws(YAMLError) in
            let form: YAMLShape? =
                switch place.node.content {
                case .scalar: word
                case .sequence: list
                case .mapping: mapping
                }
            guard let form else { throw place.error(expected: expectation) }
            return try form.read(place)
        }
    }

    /// A shape with the same written form and another value.
    public func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> YAMLShape<Other> {
        YAMLShape<Other>(form) { place throws(YAMLError) in transform(try read(place)) }
    }
}

extension YAMLShape where Value == String {
    /// Text, with or without quotes. A bare `null`, `~` or a missing value is not text.
    ///
    /// - Parameter length: In characters.
    public static func text(_ what: String = "text", length: ClosedRange<Int> = 1...256) -> YAMLShape {
        .scalar(
            YAMLForm(
                "\(what) of \(length.lowerBound) to \(length.upperBound) characters",
                .text(lengths: length, pattern: nil), example: String(repeating: "x", count: max(1, length.lowerBound))),
            write: { YAMLNode.written($0) }
        ) { length.contains($0.count) ? $0 : nil }
    }
}

extension YAMLShape where Value == Bool {
    public static func bool() -> YAMLShape {
        .scalar(
            YAMLForm("true or false", .bool, example: "true"), quotable: false, write: { String($0) },
            parse: { Bool($0) })
    }
}

extension YAMLShape where Value: FixedWidthInteger & Sendable {
    /// A whole decimal number. `010` is rejected, because some read it as ten and others as eight.
    public static func integer(in range: ClosedRange<Value>) -> YAMLShape {
        let (lower, upper) = (String(range.lowerBound), String(range.upperBound))
        let form = YAMLForm(
            "a whole number from \(lower) to \(upper)", .integer(lower: lower, upper: upper), example: lower)
        return .scalar(form, quotable: false, write: { String($0) }) { text in
            guard let number = Value(text), String(number) == text, range.contains(number) else { return nil }
            return number
        }
    }
}

extension YAMLShape where Value == Duration {
    /// A whole number with its unit: us, ms, s, min, h or d.
    public static func duration(in range: ClosedRange<Duration>) -> YAMLShape {
        let (lower, upper) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
        let form = YAMLForm("a duration from \(lower) to \(upper)", .duration, example: lower)
        return .scalar(form, quotable: false, write: { DurationText.text($0) }) { text in
            DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension YAMLShape where Value: Sendable {
    /// One of the given words.
    public static func choice(_ words: KeyValuePairs<String, Value>) -> YAMLShape {
        choice(words.map { ($0.key, $0.value) })
    }

    /// One of the given words.
    public static func choice(_ words: [(String, Value)]) -> YAMLShape {
        let names = words.map(\.0)
        let listed = [names.dropLast().joined(separator: ", ")] + names.suffix(1)
        let form = YAMLForm(
            listed.filter { !$0.isEmpty }.joined(separator: " or "), .choice(names), example: names.first)
        return .scalar(form, write: { value in words.first { areEqual($0.1, value) }?.0 }) { text in
            words.first { $0.0 == text }?.1
        }
    }

    /// False for values that cannot be compared.
    private static func areEqual(_ one: Value, _ other: Value) -> Bool {
        func compare<Known: Equatable>(_ one: Known) -> Bool { one == other as? Known }
        guard let one = one as? any Equatable else { return false }
        return compare(one)
    }
}

extension YAMLShape where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One word of an enumeration's raw values.
    public static func choice() -> YAMLShape { .choice(Value.allCases.map { ($0.rawValue, $0) }) }
}

/// Durations as people write them: `30 ms`, `4 s`, `2 min`.
enum DurationText {
    private static let units: [(name: String, length: Duration)] = [
        ("d", .seconds(86_400)), ("h", .seconds(3_600)), ("min", .seconds(60)), ("s", .seconds(1)),
        ("ms", .milliseconds(1)), ("us", .microseconds(1)),
    ]

    /// A whole number of at most nine digits, a unit, and any spaces between the two.
    static func parse(_ text: String) -> Duration? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard digits.utf8.count <= 9, let count = Int(digits),
            let length = units.first(where: { $0.name == unit })?.length
        else { return nil }
        return length * count
    }

    /// The duration in the largest unit that divides it.
    static func text(_ duration: Duration) -> String {
        guard duration != .zero else { return "0 ms" }
        for (name, length) in units {
            let count = Int64((duration / length).rounded())
            if length * count == duration { return "\(count) \(name)" }
        }
        return "\(duration)"
    }
}
