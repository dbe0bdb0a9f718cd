extension YAMLShape where Value == String {
    /// Text, with or without quotes. A bare `null`, `~` or a missing value is not text.
    ///
    /// - Parameter length: In characters.
    public static func text(_ what: String = "text", length: ClosedRange<Int> = 1...256) -> YAMLShape {
        .scalar("\(what) of \(length.lowerBound) to \(length.upperBound) characters") {
            length.contains($0.count) ? $0 : nil
        }
    }
}

extension YAMLShape where Value == Bool {
    public static func bool() -> YAMLShape { .scalar("true or false", quotable: false) { Bool($0) } }
}

extension YAMLShape where Value: FixedWidthInteger & Sendable {
    /// A whole decimal number. `010` is rejected, because some read it as ten and others as eight.
    public static func integer(in range: ClosedRange<Value>) -> YAMLShape {
        .scalar("a whole number from \(range.lowerBound) to \(range.upperBound)", quotable: false) { text in
            guard let number = Value(text), String(number) == text, range.contains(number) else { return nil }
            return number
        }
    }
}

extension YAMLShape where Value == Duration {
    /// A whole number with its unit: us, ms, s, min, h or d.
    public static func duration(in range: ClosedRange<Duration>) -> YAMLShape {
        let (lower, upper) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
        return .scalar("a duration from \(lower) to \(upper)", quotable: false) { text in
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
        return .scalar(listed.filter { !$0.isEmpty }.joined(separator: " or ")) { text in
            words.first { $0.0 == text }?.1
        }
    }
}

extension YAMLShape where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One word of an enumeration's raw values.
    public static func choice() -> YAMLShape { .choice(Value.allCases.map { ($0.rawValue, $0) }) }
}
