/// Decides, while a number is being typed, whether it is complete.
///
/// A plan only makes dialling faster; it forbids nothing. A number that the plan does not know is dialled after `#` or
/// a pause. `docs/user/dial-plan.md` has the pattern language and the plans that come with the phone.
public struct DialPlan: Equatable, Sendable {
    public enum Verdict: Equatable, Sendable {
        /// An emergency number: dial at once, even if other numbers begin with it.
        case emergency
        /// A pattern matches, and nothing could match with more digits: dial at once.
        case complete
        /// A pattern matches, and a longer number might match too: dial after the time between digits.
        case mayGrow
        /// Nothing matches yet.
        case partial
        /// Nothing matches, and more digits do not help.
        case noMatch
    }

    public static let mostPatterns = 64
    public static let mostEmergencyNumbers = 16
    public static let emergencyLengths = 2...8

    private let matchers: [DialPattern]
    /// The emergency numbers, as they were given.
    public let emergency: [String]

    /// The patterns, as they were given.
    public var patterns: [String] { matchers.map(\.text) }

    /// - Parameters:
    ///   - patterns: At most `mostPatterns`, of at most 64 characters. Their order means nothing.
    ///   - emergency: At most `mostEmergencyNumbers`, of `emergencyLengths` digits.
    /// - Throws: The first mistake, emergency numbers before patterns.
    public init(patterns: [String], emergency: [String]) throws(DialPlanError) {
        try Self.check(emergency)
        guard patterns.count <= Self.mostPatterns else {
            throw DialPlanError(.patterns, Self.mostPatterns + 1, column: 1, expected: .fewerPatterns)
        }
        var matchers: [DialPattern] = []
        for (index, text) in patterns.enumerated() {
            matchers.append(try DialPatternParser.parse(text, entry: index + 1))
        }
        (self.matchers, self.emergency) = (matchers, emergency)
    }

    /// The verdict on these digits. Every text has one: a text that is not a number, or is too long, matches nothing.
    ///
    /// Cost: at most patterns × characters × 64 steps (two passes over 32 positions). There is no backtracking.
    public func verdict(_ digits: String) -> Verdict {
        guard digits.utf8.count <= DialPattern.mostKeys else { return .noMatch }
        if emergency.contains(digits) { return .emergency }
        let keys = digits.utf8.compactMap(KeySet.init)
        guard keys.count == digits.utf8.count else { return .noMatch }
        let outcomes = matchers.map { $0.follow(keys) }
        let mayGrow = outcomes.contains(where: \.mayGrow) || emergency.contains { $0.hasPrefix(digits) }
        return switch (outcomes.contains(where: \.matches), mayGrow) {
        case (true, true): .mayGrow
        case (true, false): .complete
        case (false, true): .partial
        case (false, false): .noMatch
        }
    }

    private static func check(_ emergency: [String]) throws(DialPlanError) {
        guard emergency.count <= mostEmergencyNumbers else {
            throw DialPlanError(.emergency, mostEmergencyNumbers + 1, column: 1, expected: .fewerEmergencyNumbers)
        }
        for (index, number) in emergency.enumerated() {
            let digits = number.utf8.prefix(emergencyLengths.upperBound + 1)
                .prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
            guard digits == number.utf8.count, emergencyLengths.contains(digits) else {
                let column = min(digits, emergencyLengths.upperBound) + 1
                throw DialPlanError(.emergency, index + 1, column: column, expected: .emergencyDigits)
            }
        }
        for (index, number) in emergency.enumerated() {
            if let first = emergency.first(where: { $0 != number && number.hasPrefix($0) }) {
                throw DialPlanError(.emergency, index + 1, column: first.utf8.count + 1, expected: .reachable)
            }
        }
    }
}

/// The wrong entry of a dial plan, the place of the fault, and what is expected there.
public struct DialPlanError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum List: String, Equatable, Sendable {
        case patterns = "pattern"
        case emergency = "emergency number"
    }

    public enum Expected: String, Equatable, Sendable {
        // These are mistakes of the plan as a whole.
        case fewerPatterns = "at most 64 patterns"
        case fewerEmergencyNumbers = "at most 16 emergency numbers"
        // These are mistakes of one pattern.
        case element = "a digit, *, #, +, x, n, z, [ or ."
        case end = "the end, as nothing follows ."
        case setMember = "a digit, *, # or + in the set"
        case setMemberOrEnd = "a digit, *, #, + or ]"
        case rangeEnd = "a digit that is not below the one before -"
        case count = "a count from 0 to 32"
        case countEnd = ", or }"
        case countClose = "}"
        case countAbove = "a greatest count of at least 1 that is not below the least"
        case fewerCharacters = "at most 64 characters"
        case fewerKeys = "a pattern that ends within 32 keys"
        case requiredKey = "an element that needs a key, as no key at all is no number"
        // These are mistakes of one emergency number.
        case emergencyDigits = "2 to 8 digits"
        case reachable = "a number that begins with no other emergency number, which would be dialled first"
    }

    public let list: List
    /// The entry's number in its list, from 1. If there are too many entries, the first surplus one.
    public let entry: Int
    /// The column in the entry, from 1. If something is missing at its end, the column after the end.
    public let column: Int
    public let expected: Expected

    public init(_ list: List, _ entry: Int, column: Int, expected: Expected) {
        (self.list, self.entry, self.column, self.expected) = (list, entry, column, expected)
    }

    /// The fault, as `pattern 3, column 5: expected }`. The entry itself is left out because it is untrusted text.
    public var description: String { "\(list.rawValue) \(entry), column \(column): expected \(expected.rawValue)" }
}

extension DialPlan: Codable {
    /// A plan is stored as its text. A stored text is checked as strictly as a person's input.
    private struct Text: Codable {
        let patterns: [String]
        let emergency: [String]
    }

    public init(from decoder: any Decoder) throws {
        let text = try Text(from: decoder)
        do throws(DialPlanError) {
            try self.init(patterns: text.patterns, emergency: text.emergency)
        } catch {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error)
            throw DecodingError.dataCorrupted(context)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        try Text(patterns: patterns, emergency: emergency).encode(to: encoder)
    }
}

/// The plans that come with the phone. `docs/user/dial-plan.md` explains each pattern and has an example number for it.
extension DialPlan {
    /// North America: ten digits with or without the 1. There is no area code 988 and none that ends in 11.
    public static let us = preset(
        "US",
        [
            "1{0,1}[2-8][02-8]xnx{6}", "1{0,1}9[02-7]xnx{6}", "1{0,1}98[0-79]nx{6}", "1{0,1}n1[02-9]nx{6}",
            "[2-8]11", "988", "0", "011zx{6,14}", "*xx.",
        ], emergency: ["911"])

    public static let gb = preset(
        "GB",
        [
            "0[23579]x{9}", "01x{8,9}", "08x{9}", "0800x{6}", "08001111", "00zx{6,14}", "nx{4,7}", "10[015]", "111",
            "159", "1471", "1571", "116x{3}", "118x{3}", "[*#]xx.",
        ], emergency: ["999", "112"])

    /// Numbers in Germany have no common length; only mobile phones and services do.
    public static let de = preset(
        "DE",
        [
            "0[2-79]x{4,12}", "08[1-9]x{3,11}", "080[1-9]x{2,10}", "0800x{7}", "015x{9}", "01[67]x{8,9}",
            "01[389]x{3,10}", "00zx{6,14}", "nx{2,11}", "115", "116x{3}", "118[1-9]x", "1180xx", "19x{3}", "[*#]xx.",
        ], emergency: ["112", "110"])

    /// A plan for a phone behind a switchboard (PBX). Internal numbers have three digits. 0 or 9 selects an outside
    /// line, whose plan the phone cannot know. The emergency numbers include these prefixes, because people are used to
    /// dialling them.
    public static let office = preset(
        "office", ["[1-8]xx", "[09]xx.", "*xx"], emergency: ["112", "911", "0112", "9911"])

    /// No plan: a person ends each number with `#` or a pause.
    public static let open = preset("open", ["[0-9*#+]."], emergency: ["112", "911"])

    /// The presets, by the names that a configuration uses.
    public static let presets: [(name: String, plan: DialPlan)] = [
        ("US", us), ("GB", gb), ("DE", de), ("office", office), ("open", open),
    ]

    /// One of the presets, by its exact name.
    public init?(named name: String) {
        guard let preset = Self.presets.first(where: { $0.name == name }) else { return nil }
        self = preset.plan
    }

    private static func preset(_ name: String, _ patterns: [String], emergency: [String]) -> DialPlan {
        do throws(DialPlanError) {
            return try DialPlan(patterns: patterns, emergency: emergency)
        } catch {
            preconditionFailure("the plan \(name): \(error)")
        }
    }
}
