import Base

/// The result of a handshake.
package struct DTLSSession: Equatable, Sendable {
    package let keys: SRTPKeys
    /// SHA-256 of the certificate that the far end showed, 32 octets.
    package let fingerprint: [UInt8]
    /// 32 octets that only the two ends have, for this handshake alone (RFC 5705).
    package let binding: SecretBytes

    package init(keys: SRTPKeys, fingerprint: [UInt8], binding: SecretBytes) {
        (self.keys, self.fingerprint, self.binding) = (keys, fingerprint, binding)
    }
}

/// The protection of a call's SRTP packets, by its number in DTLS (RFC 5764 §4.1.2, RFC 7714 §14.2).
package enum SRTPProfile: UInt16, CaseIterable, Sendable {
    case aes128CMHMACSHA1With80BitTag = 0x0001
    case aes128GCM = 0x0007
    case aes256GCM = 0x0008

    /// The name in OpenSSL's lists.
    var name: String {
        switch self {
        case .aes128CMHMACSHA1With80BitTag: "SRTP_AES128_CM_SHA1_80"
        case .aes128GCM: "SRTP_AEAD_AES_128_GCM"
        case .aes256GCM: "SRTP_AEAD_AES_256_GCM"
        }
    }

    /// Bytes of a master key.
    package var keyLength: Int {
        switch self {
        case .aes128CMHMACSHA1With80BitTag, .aes128GCM: 16
        case .aes256GCM: 32
        }
    }

    /// Bytes of a master salt.
    package var saltLength: Int {
        switch self {
        case .aes128CMHMACSHA1With80BitTag: 14
        case .aes128GCM, .aes256GCM: 12
        }
    }
}

/// The keys that both ends derive from a handshake (RFC 5764 §4.2): for each, a master key followed by its salt.
package struct SRTPKeys: Equatable, Sendable {
    package let profile: SRTPProfile
    /// Protects what we send.
    package let local: SecretBytes
    /// Protects what the far end sends.
    package let remote: SecretBytes

    /// - Parameter exported: The client's key, the server's, the client's salt, the server's.
    init(_ profile: SRTPProfile, exported: UnsafeBufferPointer<UInt8>, isClient: Bool) {
        let (keyLength, saltLength) = (profile.keyLength, profile.saltLength)
        precondition(exported.count == Self.exportedLength(profile), "OpenSSL exports the requested bytes")
        func keyAndSalt(_ side: Int) -> SecretBytes {
            var place = 0
            return SecretBytes(count: keyLength + saltLength) {
                defer { place += 1 }
                return unsafe place < keyLength
                    ? exported[side * keyLength + place]
                    : exported[2 * keyLength + side * saltLength + place - keyLength]
            }
        }
        self.profile = profile
        (local, remote) = isClient ? (keyAndSalt(0), keyAndSalt(1)) : (keyAndSalt(1), keyAndSalt(0))
    }

    static func exportedLength(_ profile: SRTPProfile) -> Int { 2 * (profile.keyLength + profile.saltLength) }
}

/// Four words for a handshake. If two people read them to each other and they are the same, nobody is in between
/// (docs/dev/decisions/0015-four-words.md).
package enum ShortAuthenticationString {
    /// 8 MB of memory, and some tens of milliseconds. An attacker who searches for two handshakes with the same words
    /// pays that for each try, while the call is being set up.
    private static let (rounds, blockSize): (UInt64, UInt64) = (8_192, 8)
    private static let wordCount = 4

    /// The words, which are the same at both ends of a handshake.
    /// - Parameters:
    ///   - binding: data that only the two ends have (`DTLSSession.binding`).
    ///   - fingerprints: of both certificates, in any order.
    package static func words(binding: SecretBytes, fingerprints: [[UInt8]]) -> String {
        let fingerprints = fingerprints.sorted { $0.lexicographicallyPrecedes($1) }
        let derived = KeyDerivation.scrypt(
            binding, salt: Array(fingerprints.joined()), rounds: rounds, blockSize: blockSize, parallelism: 1,
            count: 2 * wordCount)
        return unsafe derived.withBytes { bytes in
            (0..<wordCount).map { unsafe word(UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1])) }
        }.joined(separator: " ")
    }

    private static let consonants = Array("bdfghjklmnprstvz".unicodeScalars)
    private static let vowels = Array("aiou".unicodeScalars)

    /// Sixteen bits as a word that can be said in most languages, such as `lusab` (a proquint, arXiv:0901.4016).
    package static func word(_ bits: UInt16) -> String {
        var word = String.UnicodeScalarView()
        for (place, width) in [(12, 4), (10, 2), (6, 4), (4, 2), (0, 4)] {
            let value = Int(bits >> place) & (1 << width - 1)
            word.append(width == 4 ? consonants[value] : vowels[value])
        }
        return String(word)
    }
}
