/// Which entry of a dial plan is wrong, where, and what would be right.
public struct DialPlanError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum List: String, Equatable, Sendable {
        case patterns = "pattern"
        case emergency = "emergency number"
    }

    public enum Expected: String, Equatable, Sendable {
        // Of the plan.
        case fewerPatterns = "at most 64 patterns"
        case fewerEmergencyNumbers = "at most 16 emergency numbers"
        // Of a pattern.
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
        // Of an emergency number.
        case emergencyDigits = "2 to 8 digits"
        case reachable = "a number that begins with no other emergency number, which would be dialled first"
    }

    public let list: List
    /// Counted from 1 in its list. The first one too many, when there are too many.
    public let entry: Int
    /// Counted from 1 in the entry; one past its end when something is missing there.
    public let column: Int
    public let expected: Expected

    public init(_ list: List, _ entry: Int, column: Int, expected: Expected) {
        (self.list, self.entry, self.column, self.expected) = (list, entry, column, expected)
    }

    /// As `pattern 3, column 5: expected }`. Never the entry itself, which may be anything.
    public var description: String { "\(list.rawValue) \(entry), column \(column): expected \(expected.rawValue)" }
}
