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
