/// A place in a header's value or a start line, moving forward as it is read.
///
/// Every read is total: it returns what it is named for, or an exact error with the offset of the fault.
public struct SIPScanner: Sendable {
    private let bytes: [UInt8]
    private(set) var offset: Int
    private let end: Int

    init(_ bytes: [UInt8]) { (self.bytes, offset, end) = (bytes, 0, bytes.count) }

    init(_ text: String) { self.init(Array(text.utf8)) }

    /// Reads a part of `bytes`; offsets count from the start of `bytes`.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound)
    }

    var isAtEnd: Bool { offset == end }
    var next: UInt8? { offset < end ? bytes[offset] : nil }

    func error(_ kind: SIPParseError.Kind) -> SIPParseError { SIPParseError(kind, at: offset) }

    /// How far the bytes go that satisfy a condition.
    func reach(while condition: (UInt8) -> Bool) -> Int {
        var index = offset
        while index < end, condition(bytes[index]) { index += 1 }
        return index
    }

    func contains(_ byte: UInt8) -> Bool { bytes[offset..<end].contains(byte) }

    /// A scanner of only what comes before `limit`; this one moves behind it.
    mutating func split(at limit: Int) -> SIPScanner {
        defer { offset = limit }
        return SIPScanner(bytes, in: offset..<limit)
    }

    mutating func text(to limit: Int) -> String {
        defer { offset = limit }
        return String(bytes: bytes[offset..<limit])
    }

    mutating func text(while condition: (UInt8) -> Bool) -> String { text(to: reach(while: condition)) }

    mutating func skipSpace() { offset = reach { $0.isSpace } }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        offset += 1
        return true
    }

    mutating func expect(_ byte: UInt8) throws(SIPParseError) {
        guard skip(byte) else { throw error(.expected(Unicode.Scalar(byte))) }
    }

    func expectEnd() throws(SIPParseError) {
        guard isAtEnd else { throw error(.trailing) }
    }

    mutating func token() throws(SIPParseError) -> String {
        let limit = reach { $0.isToken }
        guard limit > offset else { throw error(.token) }
        return text(to: limit)
    }

    /// A number of any length; too large a one is an error, never an overflow.
    mutating func number(upTo maximum: UInt64) throws(SIPParseError) -> UInt64 {
        let limit = reach { $0.isDigit }
        guard limit > offset else { throw error(.number(maximum: maximum)) }
        var value: UInt64 = 0
        for index in offset..<limit {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt64(bytes[index] - 0x30))
            guard !overflow, !carry, sum <= maximum else { throw error(.number(maximum: maximum)) }
            value = sum
        }
        offset = limit
        return value
    }

    /// A quoted string, without its quotes and escapes.
    mutating func quotedString() throws(SIPParseError) -> String {
        let start = error(.quotedString)
        try expect(.quote)
        var content: [UInt8] = []
        while let byte = next {
            offset += 1
            if byte == .quote { return String(bytes: content[...]) }
            if byte == .backslash {
                guard let escaped = next else { throw start }
                offset += 1
                content.append(escaped)
            } else {
                content.append(byte)
            }
        }
        throw start
    }

    /// Text of one class of characters and `%41` escapes, kept as it is written.
    mutating func escapedText(
        _ kind: SIPParseError.Kind, allowing isAllowed: (UInt8) -> Bool
    ) throws(SIPParseError) -> String {
        let start = offset
        while let byte = next {
            if byte == UInt8(ascii: "%") {
                guard offset + 2 < end, bytes[offset + 1].hexValue != nil, bytes[offset + 2].hexValue != nil
                else { throw error(.escape) }
                offset += 3
            } else if isAllowed(byte) {
                offset += 1
            } else {
                break
            }
        }
        guard offset > start else { throw error(kind) }
        return String(bytes: bytes[start..<offset])
    }
}

extension SIPScanner {
    /// A name, an IPv4 address, or an IPv6 address without its brackets.
    mutating func host() throws(SIPParseError) -> String {
        guard skip(UInt8(ascii: "[")) else {
            let limit = reach { $0.isHostname }
            guard limit > offset else { throw error(.host) }
            return text(to: limit)
        }
        let limit = reach { $0.hexValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        guard limit > offset + 1, reach(while: { $0 != UInt8(ascii: ":") }) < limit else { throw error(.host) }
        let address = text(to: limit)
        try expect(UInt8(ascii: "]"))
        return address
    }

    /// `:5060`, if there is one.
    mutating func port() throws(SIPParseError) -> UInt16? {
        guard skip(UInt8(ascii: ":")) else { return nil }
        skipSpace()
        return UInt16(try number(upTo: UInt64(UInt16.max)))
    }
}
