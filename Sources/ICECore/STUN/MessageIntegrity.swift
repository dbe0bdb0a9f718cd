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
