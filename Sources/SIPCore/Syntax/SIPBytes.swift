import Base

/// The character classes of RFC 3261 §25.1, and the few characters with a name.
extension UInt8 {
    static let cr: UInt8 = 0x0D
    static let lf: UInt8 = 0x0A
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    var isSpace: Bool { self == 0x20 || self == 0x09 }
    /// A letter of ASCII in lower case; any other byte unchanged.
    @inlinable package var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
    var isAlphanumeric: Bool { isDigit || isLetter }

    var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }

    var isToken: Bool { SIPByteSet.token.contains(self) }
    var isUserinfo: Bool { SIPByteSet.userinfo.contains(self) }
    var isURIHeader: Bool { SIPByteSet.uriHeader.contains(self) }
    /// A character of a header parameter's value: one of a token or a host, or another one that peers use and that is
    /// not a separator.
    var isParameterValue: Bool { SIPByteSet.parameterValue.contains(self) }
    var isHostname: Bool { SIPByteSet.hostname.contains(self) }
    var isVisible: Bool { self > 0x20 && self != 0x7F }
}

extension String {
    /// Makes text of bytes. Bytes that are not UTF-8 are replaced, so that this is total.
    init(bytes: ArraySlice<UInt8>) { self.init(decoding: bytes, as: UTF8.self) }

    /// The text in lower case, as protocols compare without case: ASCII only.
    package var asciiLowercased: String {
        guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return self }
        return String(decoding: utf8.map { $0.asciiLowercased }, as: UTF8.self)
    }

    func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count && asciiLowercased == other.asciiLowercased
    }

    /// The text on one line: a line break would let a value start a new header.
    var onOneLine: String {
        guard utf8.contains(where: { $0 == .cr || $0 == .lf }) else { return self }
        return String(decoding: utf8.map { $0 == .cr || $0 == .lf ? 0x20 : $0 }, as: UTF8.self)
    }

    /// The text in quotes, with the necessary escapes.
    var quoted: String {
        guard utf8.contains(where: { $0 == .quote || $0 == .backslash }) else { return "\"\(self)\"" }
        var bytes: [UInt8] = [.quote]
        for byte in utf8 {
            if byte == .quote || byte == .backslash { bytes.append(.backslash) }
            bytes.append(byte)
        }
        return String(bytes: bytes[...]) + "\""
    }

    /// The text with every escape such as `%41` decoded. This is total: anything else stays as it is.
    var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        let source = Array(utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = source[index + 1].hexValue, let low = source[index + 2].hexValue
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(bytes: bytes[...])
    }
}

/// A set of ASCII characters, one bit each.
struct SIPByteSet: Sendable {
    private let low: UInt64
    private let high: UInt64

    /// Letters, digits, and the characters of `marks`.
    private init(alphanumericAnd marks: StaticString) {
        self.init(marks: marks, where: \.isAlphanumeric)
    }

    private init(marks: StaticString, where isMember: (UInt8) -> Bool = { _ in false }) {
        var bits: (low: UInt64, high: UInt64) = (0, 0)
        for byte in UInt8(0)..<128 where isMember(byte) || marks.description.utf8.contains(byte) {
            if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
        }
        (low, high) = bits
    }

    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low >> UInt64(byte) & 1 == 1
        case 64..<128: high >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }

    static let token = SIPByteSet(alphanumericAnd: "-.!%*_+`'~")
    /// The characters of a telephone number besides digits and the letters A to F.
    static let dialled = SIPByteSet(marks: "+-.()*#")
    /// Characters that RFC 3261 §25.1 allows in a user without an escape. Users are written so, and read as `uriText`.
    static let userinfo = SIPByteSet(alphanumericAnd: "-_.!~*'()&=+$,;?/:")
    /// Visible characters that are not the end of a URI. `%` begins an escape.
    static let uriText = SIPByteSet(alphanumericAnd: "!#$%&'()*+,-./:;=?@[\\]^_`{|}~")
    static let userinfoEnd = SIPByteSet(marks: "@")
    static let uriParameterNameEnd = SIPByteSet(marks: ";?=")
    static let uriParameterEnd = SIPByteSet(marks: ";?")
    static let uriHeaderEnd = SIPByteSet(marks: "")
    /// The ends of an element of a list, and of a parameter of one.
    static let elementEnd = SIPByteSet(marks: ",")
    static let headerParameterEnd = SIPByteSet(marks: ";,")
    static let uriHeader = SIPByteSet(alphanumericAnd: "-_.!~*'()[]/?:+$&=")
    static let parameterValue = SIPByteSet(alphanumericAnd: "-.!%*_+`'~[]:/@&$?=")
    /// RFC 3261 allows no underscore in a host name, but hosts with an underscore are in use.
    static let hostname = SIPByteSet(alphanumericAnd: "-._")
}
