/// The alphabet of RFC 4648 §4, padded.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The place in the alphabet of each octet.
    private static let values: [UInt32?] = (UInt8.min ... .max).map { octet in
        alphabet.firstIndex(of: octet).map(UInt32.init)
    }

    static func encode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = unsafe bytes[start..<min(start + 3, bytes.count)]
            let bits = unsafe group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let index = Int(bits >> UInt32(18 - 6 * place) & 0x3F)
                text.append(unsafe place <= group.count ? alphabet[index] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for text with other characters or with an incomplete group. Missing padding is allowed, because some peers
    /// omit it.
    static func decode(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        for character in text.utf8.dropLast(padding) {
            guard let value = values[Int(character)] else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return count < 6 ? bytes : nil
    }
}
