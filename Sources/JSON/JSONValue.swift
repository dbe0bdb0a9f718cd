/// A JSON text as a value (RFC 8259).
///
/// Whole numbers that fit 64 bits stay exact; instants in nanoseconds depend on it. Members of an object have no
/// order; they are written sorted by name, so that equal values give equal texts.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    /// The member of an object; nil if this is not an object or has no such member.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    public var string: String? { if case .string(let text) = self { text } else { nil } }
    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// Any number, whole or not. Beyond 2⁵³ a whole number is rounded.
    public var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral text: String) { self = .string(text) }
    public init(integerLiteral number: Int64) { self = .integer(number) }
    public init(floatLiteral number: Double) { self = .number(number) }
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(nilLiteral: ()) { self = .null }
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: members))
    }
}
