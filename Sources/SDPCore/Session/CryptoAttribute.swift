import Base

extension CryptoSuite {
    /// Whether voice packets have an authentication tag of 32 bits. Then one forged packet in 2³² is accepted (RFC 3711
    /// §9.5). By default this is too weak for our calls.
    var hasShortTag: Bool {
        switch self {
        case .aes128Tag32, .aes256Tag32: true
        case .aes128Tag80, .aes256Tag80, .gcm128, .gcm256: false
        }
    }

    /// Whether a call that another suite has protected may continue with this one. Tags of 32 bits never follow longer
    /// ones. A shorter key may follow, because no attacker can break it either. A server that connects the call to
    /// another telephone can offer only the suites of that telephone.
    func mayReplace(_ current: CryptoSuite?) -> Bool {
        guard let current else { return true }
        return !hasShortTag || current.hasShortTag
    }

    func freshKey(using generator: inout some RandomNumberGenerator) -> SecretBytes {
        SecretBytes(count: keyLength) { UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// One `a=crypto` line that this phone can use: a suite and the key with which the line's sender protects its packets.
struct CryptoAttribute: Equatable, Sendable {
    var tag: Int
    var suite: CryptoSuite
    var key: SecretBytes
    /// The key identifier (MKI) in each packet of the line's sender. Empty: its packets have none.
    var keyIdentifier: [UInt8]

    /// The longest key identifier, in bytes (RFC 4568 §6.1).
    private static let longestIdentifier = 128

    init(tag: Int, suite: CryptoSuite, key: SecretBytes, keyIdentifier: [UInt8] = []) {
        self.tag = tag
        self.suite = suite
        self.key = key
        self.keyIdentifier = keyIdentifier
    }

    /// `tag suite inline:key[|lifetime][|identifier:length] [parameters]`. Nil if the line cannot be used: it has
    /// another suite, several keys, or a parameter that changes the protection (RFC 4568 §6.3). The words of its grammar
    /// have no case.
    init?(_ value: String) {
        let fields = value.split(separator: " ")
        guard fields.count >= 3, let tag = Int(fields[0]), (0...999_999_999).contains(tag),
            let suite = CryptoSuite(rawValue: fields[1].uppercased()), fields[2].lowercased().hasPrefix("inline:"),
            !fields[2].contains(";"), fields[3...].allSatisfy({ $0.hasPrefix("WSH=") })
        else { return nil }
        let parts = fields[2].dropFirst("inline:".count).split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count <= 3, var key = Base64.decode(parts[0]), key.count == suite.keyLength else { return nil }
        var keyIdentifier: [UInt8] = []
        if let last = parts.dropFirst().last, last.contains(":") {
            guard let read = Self.keyIdentifier(last) else { return nil }
            keyIdentifier = read
        }
        guard parts.count < 3 || !parts[1].contains(":") else { return nil }
        self.init(tag: tag, suite: suite, key: SecretBytes(taking: &key), keyIdentifier: keyIdentifier)
    }

    /// `identifier:length`: a decimal number, and its length in a packet, in bytes. Nil for a number that does not fit
    /// into 64 bits or into that length.
    private static func keyIdentifier(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(parts[0]), let length = Int(parts[1]),
            (1...longestIdentifier).contains(length)
        else { return nil }
        guard length >= 8 || number >> UInt64(8 * length) == 0 else { return nil }
        return (0..<length).reversed().map { place in
            place < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(8 * place)) : 0
        }
    }

    var attribute: SessionDescription.Attribute {
        .init("crypto", "\(tag) \(suite.rawValue) inline:\(unsafe key.withBytes { unsafe Base64.encode($0) })")
    }
}

extension SessionDescription {
    /// Whether one of its lines names this key as the sender's own.
    package func names(_ key: SecretBytes) -> Bool {
        media.contains { media in media.values(of: "crypto").contains { CryptoAttribute($0)?.key == key } }
    }
}

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
