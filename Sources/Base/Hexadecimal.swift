extension Collection<UInt8> {
    /// Two digits for each byte, in lower case.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * count)
        for byte in self { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}

extension StringProtocol {
    /// The bytes of two digits each, in lower or upper case. Nil for anything else.
    public var hexadecimalBytes: [UInt8]? {
        let digits = utf8.map(Self.value(ofDigit:))
        guard digits.count % 2 == 0, digits.allSatisfy({ $0 < 16 }) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// 16 for a byte that is not a digit.
    private static func value(ofDigit byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: 16
        }
    }
}
