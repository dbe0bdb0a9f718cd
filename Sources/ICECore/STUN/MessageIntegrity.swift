import Base

/// The two attributes that prove the sender of a message (RFC 8489 §14.5, §14.6).
package enum MessageIntegrity: Equatable, Sendable {
    case sha1, sha256

    var type: UInt16 {
        switch self {
        case .sha1: AttributeType.messageIntegrity
        case .sha256: AttributeType.messageIntegritySHA256
        }
    }

    /// Bytes of the value. None of our usages allows a shorter one (RFC 8489 §14.6).
    var count: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        }
    }

    static let types: Set<UInt16> = [AttributeType.messageIntegrity, AttributeType.messageIntegritySHA256]
}

extension STUNMessage {
    /// The message on the wire, with its integrity after the other attributes, and then the fingerprint.
    package func bytes(
        provenBy key: STUNKey, _ hashes: STUNHashes, integrity: MessageIntegrity = .sha1
    ) -> [UInt8] {
        encoded(reserving: integrity.count + 4) { bytes in
            let code = key.code(integrity, of: bytes, hashes)
            return [Attribute(integrity.type, code)]
        }
    }

    /// The message without attributes that its integrity does not cover. Nil if it has no integrity, or another key's.
    ///
    /// - Parameter bytes: The bytes of this message. Its padding is covered, too, and the attributes lack it.
    package func proven(
        by key: STUNKey, in bytes: [UInt8], _ hashes: STUNHashes, integrity: MessageIntegrity = .sha1
    ) -> STUNMessage? {
        guard let index = attributes.firstIndex(where: { $0.type == integrity.type }),
            attributes[index].value.count == integrity.count
        else { return nil }
        let start = attributes[..<index].reduce(20) { $0 + 4 + ($1.value.count + 3) & ~3 }
        guard start + 4 + integrity.count <= bytes.count else { return nil }
        // The length in the header counts as if the proof were the last attribute.
        var covered = Array(bytes[..<start])
        let length = UInt16(start - 20 + 4 + integrity.count)
        (covered[2], covered[3]) = (UInt8(length >> 8), UInt8(truncatingIfNeeded: length))
        let code = key.code(integrity, of: covered, hashes)
        guard equalsInConstantTime(code, attributes[index].value, length: integrity.count) else { return nil }
        var message = self
        message.attributes = Array(attributes.prefix { !MessageIntegrity.types.contains($0.type) })
        return message
    }
}

/// A key that proves a message's integrity (RFC 8489 §9). It is never printed.
public struct STUNKey: Equatable, Sendable {
    private let secret: Redacted<[UInt8]>

    /// The key of a short-term credential: the password (RFC 8489 §9.1.1). ICE passwords are ASCII, so string
    /// preparation does not change them.
    public init(password: Redacted<String>) { secret = Redacted(Array(password.reveal().utf8)) }

    /// The key of a long-term credential: the hash of user, realm and password (RFC 8489 §9.2.2).
    package init(_ bytes: [UInt8]) { secret = Redacted(bytes) }

    func code(_ integrity: MessageIntegrity, of bytes: [UInt8], _ hashes: STUNHashes) -> [UInt8] {
        switch integrity {
        case .sha1: hashes.hmacSHA1(secret.reveal(), bytes)
        case .sha256: hashes.hmacSHA256(secret.reveal(), bytes)
        }
    }
}

/// The hash functions of STUN. The owner supplies them, because a core imports no cryptography.
public struct STUNHashes: Sendable {
    public let md5: @Sendable ([UInt8]) -> [UInt8]
    public let sha256: @Sendable ([UInt8]) -> [UInt8]
    /// HMAC-SHA1 (RFC 2104) of the second argument, with the first as its key: 20 bytes.
    public let hmacSHA1: @Sendable (_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8]
    /// HMAC-SHA256, 32 bytes.
    public let hmacSHA256: @Sendable (_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8]

    public init(
        md5: @escaping @Sendable ([UInt8]) -> [UInt8], sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        hmacSHA1: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8],
        hmacSHA256: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8]
    ) {
        (self.md5, self.sha256, self.hmacSHA1, self.hmacSHA256) = (md5, sha256, hmacSHA1, hmacSHA256)
    }
}
