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
