/// Reads the pattern language of `docs/user/dial-plan.md`. Every text gives a pattern or an exact error.
struct DialPatternParser {
    private let text: String
    private let entry: Int
    private let bytes: [UInt8]
    private var position = 0
    private var steps: [DialPattern.Step] = []

    /// - Parameter entry: The pattern's place in the plan, from 1, for errors.
    static func parse(_ text: String, entry: Int) throws(DialPlanError) -> DialPattern {
        // The text is measured before anything is copied, because it is untrusted.
        guard text.unicodeScalars.prefix(DialPattern.mostCharacters + 1).count <= DialPattern.mostCharacters else {
            throw DialPlanError(
                .patterns, entry, column: DialPattern.mostCharacters + 1, expected: .fewerCharacters)
        }
        var parser = DialPatternParser(text: text, entry: entry)
        return try parser.pattern()
    }

    private init(text: String, entry: Int) {
        (self.text, self.entry, bytes) = (text, entry, Array(text.utf8))
    }

    private mutating func pattern() throws(DialPlanError) -> DialPattern {
        var isOpen = false
        while position < bytes.count, !isOpen {
            isOpen = take(".")
            if !isOpen { try element() }
        }
        guard position == bytes.count else { throw expected(.end) }
        guard steps.contains(where: { !$0.mayBeSkipped }) else { throw expected(.requiredKey) }
        return DialPattern(text: text, steps: steps, isOpen: isOpen)
    }

    private mutating func element() throws(DialPlanError) {
        let start = position
        let keys = try keys()
        let counts = take("{") ? try counts() : 1...1
        guard steps.count + counts.upperBound <= DialPattern.mostKeys else { throw expected(.fewerKeys, at: start) }
        for index in 0..<counts.upperBound {
            steps.append(DialPattern.Step(keys: keys, mayBeSkipped: index >= counts.lowerBound))
        }
    }

    private mutating func keys() throws(DialPlanError) -> KeySet {
        if take("[") { return try set() }
        if take("x") || take("X") { return .digits(0...9) }
        if take("n") || take("N") { return .digits(2...9) }
        if take("z") || take("Z") { return .digits(1...9) }
        return try key(orElse: .element)
    }

    /// Reads the members of a set and its end, after `[`.
    private mutating func set() throws(DialPlanError) -> KeySet {
        var keys = try member(orElse: .setMember)
        while !take("]") { keys.formUnion(try member(orElse: .setMemberOrEnd)) }
        return keys
    }

    private mutating func member(orElse other: DialPlanError.Expected) throws(DialPlanError) -> KeySet {
        let first = digit
        let key = try key(orElse: other)
        guard let first, take("-") else { return key }
        guard let last = digit, last >= first else { throw expected(.rangeEnd) }
        position += 1
        return .digits(first...last)
    }

    /// Reads the counts and their end, after `{`.
    private mutating func counts() throws(DialPlanError) -> ClosedRange<Int> {
        var start = position
        let least = try count()
        var greatest = least
        if take(",") {
            start = position
            greatest = try count()
            guard take("}") else { throw expected(.countClose) }
        } else if !take("}") {
            throw expected(.countEnd)
        }
        guard greatest >= max(1, least) else { throw expected(.countAbove, at: start) }
        return least...greatest
    }

    private mutating func count() throws(DialPlanError) -> Int {
        let start = position
        var count = 0
        while let digit, count <= DialPattern.mostKeys {
            count = count * 10 + Int(digit)
            position += 1
        }
        guard position > start, count <= DialPattern.mostKeys else { throw expected(.count, at: start) }
        return count
    }

    private mutating func key(orElse other: DialPlanError.Expected) throws(DialPlanError) -> KeySet {
        guard position < bytes.count, let key = KeySet(bytes[position]) else { throw expected(other) }
        position += 1
        return key
    }

    /// The value of the next character, if it is a digit.
    private var digit: UInt8? {
        guard position < bytes.count else { return nil }
        let value = bytes[position] &- UInt8(ascii: "0")
        return value <= 9 ? value : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// The text up to here is ASCII, so bytes are columns.
    private func expected(_ expected: DialPlanError.Expected, at place: Int? = nil) -> DialPlanError {
        DialPlanError(.patterns, entry, column: (place ?? position) + 1, expected: expected)
    }
}
