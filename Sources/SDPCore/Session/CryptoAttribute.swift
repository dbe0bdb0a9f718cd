import Base

/// The crypto suites of SRTP that this phone supports (RFC 4568 §6.2, RFC 6188 §4, RFC 7714 §14.2).
public enum CryptoSuite: String, CaseIterable, Hashable, Sendable {
    case aes128Tag80 = "AES_CM_128_HMAC_SHA1_80"
    case aes128Tag32 = "AES_CM_128_HMAC_SHA1_32"
    case aes256Tag80 = "AES_256_CM_HMAC_SHA1_80"
    case aes256Tag32 = "AES_256_CM_HMAC_SHA1_32"
    case gcm128 = "AEAD_AES_128_GCM"
    case gcm256 = "AEAD_AES_256_GCM"

    /// The length of master key and salt, in bytes.
    var keyBytes: Int {
        switch self {
        case .aes128Tag80, .aes128Tag32: 16 + 14
        case .aes256Tag80, .aes256Tag32: 32 + 14
        case .gcm128: 16 + 12
        case .gcm256: 32 + 12
        }
    }

    /// Whether voice packets have an authentication tag of 32 bits: one forged packet in 2³² is accepted
    /// (RFC 3711 §9.5). By default this is too little for our calls.
    var hasShortTag: Bool {
        switch self {
        case .aes128Tag32, .aes256Tag32: true
        case .aes128Tag80, .aes256Tag80, .gcm128, .gcm256: false
        }
    }

    /// Whether a call that this far is protected by another suite may go on with this one. Tags of 32 bits never follow
    /// longer ones. A shorter key may follow: it is as far out of reach, and a server that connects the call with
    /// another telephone has no other one if that telephone has none.
    func mayReplace(_ current: CryptoSuite?) -> Bool {
        guard let current else { return true }
        return !hasShortTag || current.hasShortTag
    }

    func freshKey(using generator: inout some RandomNumberGenerator) -> SecretBytes {
        SecretBytes(count: keyBytes) { UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// One `a=crypto` line that this phone can use: a suite and the key with which the line's sender protects its packets.
struct CryptoAttribute: Equatable, Sendable {
    var tag: Int
    var suite: CryptoSuite
    var key: SecretBytes

    init(tag: Int, suite: CryptoSuite, key: SecretBytes) {
        self.tag = tag
        self.suite = suite
        self.key = key
    }

    /// `tag suite inline:key[|lifetime] [parameters]`. Nil when the line cannot be used: it has another suite, several
    /// keys, a key identifier in every packet, or a parameter that changes the protection (RFC 4568 §6.3).
    init?(_ value: String) {
        let fields = value.split(separator: " ")
        guard fields.count >= 3, let tag = Int(fields[0]), (0...999_999_999).contains(tag),
            let suite = CryptoSuite(rawValue: String(fields[1])), fields[2].hasPrefix("inline:"),
            !fields[2].contains(";"), fields[3...].allSatisfy({ $0.hasPrefix("WSH=") })
        else { return nil }
        let parts = fields[2].dropFirst("inline:".count).split(separator: "|", omittingEmptySubsequences: false)
        guard var key = Base64.decode(parts[0]), key.count == suite.keyBytes,
            parts.dropFirst().allSatisfy({ !$0.contains(":") })
        else { return nil }
        self.init(tag: tag, suite: suite, key: SecretBytes(taking: &key))
    }

    var attribute: SessionDescription.Attribute {
        .init("crypto", "\(tag) \(suite.rawValue) inline:\(unsafe key.withBytes { unsafe Base64.encode($0) })")
    }
}
