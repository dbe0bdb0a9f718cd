import Base

/// A position in a header's value or a start line, which moves forward as it is read.
///
/// Every read is total: it returns the named item, or an exact error with the offset of the fault.
public struct SIPScanner: Sendable {
    private let bytes: [UInt8]
    private(set) var offset: Int
    private let end: Int
    /// The index from which the offsets of errors count.
    private let base: Int
    /// Whether addresses are read as far as possible: a fault in a part that may be unneeded does not invalidate the
    /// whole.
    let isLoose: Bool
    /// Whether the value is the header's only one, so that a comma separates nothing.
    let isAlone: Bool

    /// Reads a part of `bytes`; the offsets of errors count from the start of `bytes`.
    init(_ bytes: [UInt8], in range: Range<Int>) { self.init(bytes, range, base: 0, isLoose: false) }

    /// Reads a value in place; the offsets of errors count from the value's start.
    init(_ bytes: [UInt8], value range: Range<Int>, isLoose: Bool = false, isAlone: Bool = false) {
        self.init(bytes, range, base: range.lowerBound, isLoose: isLoose, isAlone: isAlone)
    }

    init(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes, bytes.indices, base: 0, isLoose: false)
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>, base: Int, isLoose: Bool, isAlone: Bool = false) {
        (self.bytes, offset, end, self.base) = (bytes, range.lowerBound, range.upperBound, base)
        (self.isLoose, self.isAlone) = (isLoose, isAlone)
    }

    var isAtEnd: Bool { offset == end }
    var next: UInt8? { offset < end ? bytes[offset] : nil }

    func error(_ kind: SIPParseError.Kind) -> SIPParseError { SIPParseError(kind, at: offset - base) }

    /// The end of the run of bytes from here that satisfy a condition.
    func reach(while condition: (UInt8) -> Bool) -> Int {
        var index = offset
        while index < end, condition(bytes[index]) { index += 1 }
        return index
    }

    /// The end of the run of bytes from here that belong to a set.
    func reach(in set: SIPByteSet) -> Int { reach { set.contains($0) } }

    func contains(_ byte: UInt8) -> Bool { bytes[offset..<end].contains(byte) }

    /// Returns a scanner of the bytes before `limit`, and moves this one to `limit`.
    mutating func split(at limit: Int) -> SIPScanner {
        defer { offset = limit }
        return part(offset..<limit)
    }

    /// A scanner of a part that was read already.
    func part(_ range: Range<Int>) -> SIPScanner { SIPScanner(bytes, range, base: base, isLoose: isLoose) }

    /// The same scanner, which reads addresses as far as possible.
    var loose: SIPScanner { SIPScanner(bytes, offset..<end, base: base, isLoose: true) }

    /// The text of a part that was read already.
    func text(in range: Range<Int>) -> String { String(bytes: bytes[range]) }

    /// Whether a part equals a text.
    func isEqual(_ range: Range<Int>, exactly text: String) -> Bool { bytes[range].elementsEqual(text.utf8) }

    /// Whether a part equals a text, letters compared without case.
    func isEqual(_ range: Range<Int>, ignoringCase text: String) -> Bool { bytes.equalsIgnoringCase(range, text) }

    mutating func text(to limit: Int) -> String { text(in: range(to: limit)) }

    mutating func range(to limit: Int) -> Range<Int> {
        defer { offset = limit }
        return offset..<limit
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

    mutating func token() throws(SIPParseError) -> String { text(in: try skipToken()) }

    mutating func skipToken() throws(SIPParseError) -> Range<Int> {
        let limit = reach(in: .token)
        guard limit > offset else { throw error(.token) }
        return range(to: limit)
    }

    /// Reads a number of any length. A number above `maximum` is an error and never an overflow.
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

    func withoutTrailingSpace(_ range: Range<Int>) -> Range<Int> {
        var limit = range.upperBound
        while limit > range.lowerBound, bytes[limit - 1].isSpace { limit -= 1 }
        return range.lowerBound..<limit
    }

    /// A part without the quotes at its ends.
    func withoutQuotes(_ range: Range<Int>) -> Range<Int> {
        var (start, limit) = (range.lowerBound, range.upperBound)
        while start < limit, bytes[start] == .quote { start += 1 }
        while limit > start, bytes[limit - 1] == .quote { limit -= 1 }
        return start..<limit
    }

    /// A quoted string, without its quotes and escapes.
    mutating func quotedString() throws(SIPParseError) -> String { unquoted(try skipQuotedString()) }

    /// Reads a quoted string and returns its range, quotes included.
    mutating func skipQuotedString() throws(SIPParseError) -> Range<Int> {
        let (start, fault) = (offset, error(.quotedString))
        try expect(.quote)
        while let byte = next {
            offset += 1
            if byte == .quote { return start..<offset }
            guard byte == .backslash else { continue }
            guard !isAtEnd else { throw fault }
            offset += 1
        }
        throw fault
    }

    /// The content of a quoted string that was read already.
    func unquoted(_ range: Range<Int>) -> String {
        let inside = range.dropFirst().dropLast()
        guard bytes[inside].contains(.backslash) else { return text(in: inside) }
        var content: [UInt8] = []
        content.reserveCapacity(inside.count)
        var isEscaped = false
        for byte in bytes[inside] {
            if byte == .backslash, !isEscaped {
                isEscaped = true
            } else {
                content.append(byte)
                isEscaped = false
            }
        }
        return String(bytes: content[...])
    }

    /// Moves to the next byte of a set that is neither in quotes nor in angle brackets, else to the end.
    mutating func skip(to set: SIPByteSet) {
        while let byte = next, !set.contains(byte) {
            switch byte {
            case .quote: if (try? skipQuotedString()) == nil { offset = end }
            case UInt8(ascii: "<"): offset = (offset..<end).first { bytes[$0] == UInt8(ascii: ">") } ?? offset + 1
            default: offset += 1
            }
        }
    }
}

/// The text of a URI's parts.
extension SIPScanner {
    /// Reads text up to one of `ends`, and returns its range.
    ///
    /// RFC 3261 §25.1 wants most marks escaped, but telephones write them unescaped: `sip:9901#1@host`. A loose scanner
    /// takes any printable byte, also a blank and a `%` that begins no escape.
    mutating func skipURIText(_ kind: SIPParseError.Kind, until ends: SIPByteSet) throws(SIPParseError) -> Range<Int> {
        let start = offset
        while let byte = next, !ends.contains(byte) {
            if byte == UInt8(ascii: "%"), !isEscape(at: offset, before: end), !isLoose { throw error(.escape) }
            guard isURIText(byte) || isLoose && (byte == 0x20 || byte.isVisible) else { break }
            offset += 1
        }
        guard offset > start else { throw error(kind) }
        return start..<offset
    }

    /// The text of a part that was read already. Characters beyond the grammar, from a loose scanner, are escaped, so
    /// that the URI is valid anywhere in a message.
    func uriText(in range: Range<Int>) -> String {
        guard isLoose, !range.allSatisfy({ isPlain(at: $0, before: range.upperBound) }) else { return text(in: range) }
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        for index in range {
            let byte = bytes[index]
            escaped +=
                isPlain(at: index, before: range.upperBound)
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
        }
        return String(bytes: escaped[...])
    }

    private func isPlain(at index: Int, before limit: Int) -> Bool {
        bytes[index] == UInt8(ascii: "%") ? isEscape(at: index, before: limit) : isURIText(bytes[index])
    }

    private func isURIText(_ byte: UInt8) -> Bool { SIPByteSet.uriText.contains(byte) }

    private func isEscape(at index: Int, before limit: Int) -> Bool {
        index + 2 < limit && bytes[index + 1].hexValue != nil && bytes[index + 2].hexValue != nil
    }
}

extension SIPScanner {
    /// A name, an IPv4 address, or an IPv6 address without its brackets.
    mutating func host() throws(SIPParseError) -> String { text(in: try skipHost()) }

    mutating func skipHost() throws(SIPParseError) -> Range<Int> {
        guard skip(UInt8(ascii: "[")) else {
            let limit = reach(in: .hostname)
            guard limit > offset else { throw error(.host) }
            return range(to: limit)
        }
        let limit = reach { $0.hexValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        let fault = error(.host)
        let address = range(to: limit)
        guard IPv6Address.isWellFormed(bytes[address]) else { throw fault }
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

/// The grammar of an IPv6 address in text (RFC 3986 §3.2.2, RFC 5118 §4.1).
enum IPv6Address {
    private static let groups = 8
    private static let colon = UInt8(ascii: ":")
    private static let dot = UInt8(ascii: ".")

    /// Whether the text is an IPv6 address: eight groups of one to four hexadecimal digits. The last two groups may be
    /// written as an IPv4 address, and one run of zeros may be left out. Three colons before an IPv4 address count as
    /// two, because the grammar of RFC 3261 requires three (RFC 5118 §4.10). Cost: one pass over the text. Nothing is
    /// allocated, because every message with such a host is read this way.
    static func isWellFormed(_ text: ArraySlice<UInt8>) -> Bool {
        var (found, hasGap, isBehindGroup, rest) = (0, false, false, text)
        while !rest.isEmpty {
            if rest.first == colon, rest.dropFirst().first == colon {
                guard !hasGap else { return false }
                (hasGap, isBehindGroup) = (true, false)
                rest = rest.dropFirst(2)
                if rest.first == colon, isIPv4(rest.dropFirst()) { rest = rest.dropFirst() }
                continue
            }
            if isBehindGroup {
                guard rest.first == colon else { return false }
                rest = rest.dropFirst()
            }
            let digits = rest.prefix { $0.hexValue != nil }.count
            if rest.dropFirst(digits).first == dot {
                guard isIPv4(rest) else { return false }
                found += 2
                break
            }
            guard (1...4).contains(digits) else { return false }
            (found, isBehindGroup) = (found + 1, true)
            rest = rest.dropFirst(digits)
        }
        return hasGap ? found < groups : found == groups
    }

    private static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        var (parts, rest) = (0, text)
        while true {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...3).contains(digits.count), digits.reduce(0, { $0 * 10 + Int($1 - 0x30) }) <= 255 else {
                return false
            }
            parts += 1
            rest = rest.dropFirst(digits.count)
            guard let next = rest.first else { return parts == 4 }
            guard next == dot else { return false }
            rest = rest.dropFirst()
        }
    }
}
