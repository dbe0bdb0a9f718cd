/// A set of the thirteen characters that a number can contain.
struct KeySet: OptionSet, Sendable {
    /// Bits 0 to 9 are the digits, then `*`, `#` and `+`.
    let rawValue: UInt16

    static let star = KeySet(rawValue: 1 << 10)
    static let pound = KeySet(rawValue: 1 << 11)
    static let plus = KeySet(rawValue: 1 << 12)

    /// Nil for a byte that no number contains.
    init?(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self.init(rawValue: 1 << UInt16(byte - UInt8(ascii: "0")))
        case UInt8(ascii: "*"): self = .star
        case UInt8(ascii: "#"): self = .pound
        case UInt8(ascii: "+"): self = .plus
        default: return nil
        }
    }

    init(rawValue: UInt16) { self.rawValue = rawValue }

    static func digits(_ range: ClosedRange<UInt8>) -> KeySet {
        range.reduce(into: []) { set, digit in set.insert(KeySet(rawValue: 1 << UInt16(digit))) }
    }
}
