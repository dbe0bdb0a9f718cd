import Base

/// A JSON text as a value (RFC 8259).
///
/// Whole numbers that fit 64 bits stay exact; instants in nanoseconds depend on it. Members of an object have no
/// order; they are written sorted by name, so that equal values give equal texts.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A whole number above `Int64.max`.
    case unsigned(UInt64)
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
        case .unsigned(let number): Double(number)
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

extension JSONValue {
    /// The JSON text, in one line, members sorted by name. Control characters and marks that change the direction of
    /// writing are escaped, so the text never breaks a line nor reaches a terminal as a command. Numbers that JSON cannot
    /// write (infinite, undefined) become `null`.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    public var utf8: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let flag): output += (flag ? "true" : "false").utf8
        case .integer(let number): output += number.description.utf8
        case .unsigned(let number): output += number.description.utf8
        case .number(let number): output += (number.isFinite ? number.description : "null").utf8
        case .string(let text): Self.write(text, to: &output)
        case .array(let elements):
            Self.write(elements, between: "[", and: "]", to: &output) { $0.write(to: &$1) }
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            Self.write(sorted, between: "{", and: "}", to: &output) { member, output in
                Self.write(member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], between opening: Unicode.Scalar, and closing: Unicode.Scalar, to output: inout [UInt8],
        one: (Element, inout [UInt8]) -> Void
    ) {
        output.append(UInt8(ascii: opening))
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            one(element, &output)
        }
        output.append(UInt8(ascii: closing))
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\"".utf8
            case "\\": output += "\\\\".utf8
            case "\n": output += "\\n".utf8
            // The last two kinds make a terminal or a page show another text than the real one.
            case _
            where scalar < " " || "\u{7F}"..."\u{9F}" ~= scalar || scalar.separatesLines || scalar.changesDirection:
                let digits = String(scalar.value, radix: 16)
                output += "\\u".utf8
                output += repeatElement(UInt8(ascii: "0"), count: 4 - digits.count)
                output += digits.utf8
            default: output += scalar.utf8
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
