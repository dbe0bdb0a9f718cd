/// One pattern of a dial plan. It describes the numbers that it matches.
///
/// The pattern is stored as a sequence of single-key steps. The keys typed so far are a set of positions in that
/// sequence. Each key takes two passes over the steps: one moves every position, one skips optional steps. So the cost
/// of a number is at most its length times twice 32, however the pattern repeats itself.
struct DialPattern: Equatable, Sendable {
    struct Step: Equatable, Sendable {
        let keys: KeySet
        /// Whether the pattern also matches without this key.
        let mayBeSkipped: Bool
    }

    /// The most keys that a number has.
    static let mostKeys = 32
    static let mostCharacters = 64

    /// The pattern as it was written.
    let text: String
    /// At most `mostKeys`, and at least one that may not be skipped.
    let steps: [Step]
    /// Whether digits and stars may follow.
    let isOpen: Bool

    /// The keys that may follow an open pattern. Stars separate the parts of a feature code. `#` is not among them
    /// because people press it to dial.
    private static let further = KeySet.digits(0...9).union(.star)

    /// Whether the keys match, and whether more keys after them could.
    func follow(_ keys: [KeySet]) -> (matches: Bool, mayGrow: Bool) {
        var places = skipping(from: 1)
        for key in keys { places = skipping(from: advance(places, by: key)) }
        let end = UInt64(1) << UInt64(steps.count)
        let matches = places & end != 0
        return (matches, places & ~end != 0 || matches && isOpen)
    }

    /// Bit *n* is set if the first *n* steps are done.
    private func advance(_ places: UInt64, by key: KeySet) -> UInt64 {
        var next: UInt64 = 0
        for (index, step) in steps.enumerated() where places >> UInt64(index) & 1 != 0 && step.keys.contains(key) {
            next |= 1 << UInt64(index + 1)
        }
        let end = UInt64(1) << UInt64(steps.count)
        return isOpen && Self.further.contains(key) ? next | places & end : next
    }

    /// The steps are taken in rising order, so that one pass covers several skipped steps in succession.
    private func skipping(from places: UInt64) -> UInt64 {
        var places = places
        for (index, step) in steps.enumerated() where step.mayBeSkipped && places >> UInt64(index) & 1 != 0 {
            places |= 1 << UInt64(index + 1)
        }
        return places
    }
}

/// A set of the thirteen characters that a number can contain.
struct KeySet: OptionSet, Sendable {
    /// Bits 0 to 9 are the digits, then `*`, `#` and `+`.
    let rawValue: UInt16

    static let star = KeySet(rawValue: 1 << 10)
    static let pound = KeySet(rawValue: 1 << 11)
    static let plus = KeySet(rawValue: 1 << 12)

    /// Nil for a byte that no number contains.
    init?(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self.init(rawValue: 1 << UInt16(byte - UInt8(ascii: "0")))
        case UInt8(ascii: "*"): self = .star
        case UInt8(ascii: "#"): self = .pound
        case UInt8(ascii: "+"): self = .plus
        default: return nil
        }
    }

    init(rawValue: UInt16) { self.rawValue = rawValue }

    static func digits(_ range: ClosedRange<UInt8>) -> KeySet {
        range.reduce(into: []) { set, digit in set.insert(KeySet(rawValue: 1 << UInt16(digit))) }
    }
}

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
