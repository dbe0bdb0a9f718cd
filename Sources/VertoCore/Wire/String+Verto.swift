extension String {
    /// Whether it has 1 to `limit` visible ASCII characters, and so no space and no control character.
    func isVisible(bytes limit: Int) -> Bool {
        (1...limit).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// A random UUID (RFC 9562 §5.4) in lower case.
    static func randomUUID(using generator: inout some RandomNumberGenerator) -> String {
        let version: UInt64 = 0x4000
        let variant: UInt64 = 0x8000_0000_0000_0000
        let high = generator.next() & ~0xF000 | version
        let low = generator.next() & ~0xC000_0000_0000_0000 | variant
        return [
            hexadecimal(high >> 32, digits: 8), hexadecimal(high >> 16 & 0xFFFF, digits: 4),
            hexadecimal(high & 0xFFFF, digits: 4), hexadecimal(low >> 48, digits: 4),
            hexadecimal(low & 0xFFFF_FFFF_FFFF, digits: 12),
        ].joined(separator: "-")
    }

    private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// The text with all but the unreserved characters of RFC 3986 §2.3 encoded.
    var percentEncoded: String {
        let digits = Array("0123456789ABCDEF")
        var text = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text.append("%")
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 0xF)])
            }
        }
        return text
    }
}
