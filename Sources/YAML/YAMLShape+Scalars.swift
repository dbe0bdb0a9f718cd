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
