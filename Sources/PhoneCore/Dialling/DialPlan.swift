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
