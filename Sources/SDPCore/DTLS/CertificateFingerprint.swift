import Base

/// The SHA-256 of the certificate that a DTLS end shows (RFC 8122 §5). If the signalling confirms it, it proves the
/// identity of the handshake's far end.
public struct CertificateFingerprint: Hashable, Sendable {
    /// 32 octets.
    public let digest: [UInt8]

    private static let length = 32
    private static let hash = "sha-256"

    /// - Precondition: The digest has 32 octets.
    public init(digest: [UInt8]) {
        precondition(digest.count == Self.length, "SHA-256 has 32 octets")
        self.digest = digest
    }

    /// Reads `sha-256 AB:CD:…` in any case. Nil for any other hash, which we cannot compare.
    init?(_ value: String) {
        let fields = value.split(separator: " ")
        guard fields.count == 2, fields[0].lowercased() == Self.hash else { return nil }
        let pairs = fields[1].split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == Self.length, pairs.allSatisfy({ $0.utf8.count == 2 }),
            let digest = pairs.joined().hexadecimalBytes
        else { return nil }
        self.digest = digest
    }

    var attribute: SessionDescription.Attribute {
        let octets = digest.map { CollectionOfOne($0).hexadecimal.uppercased() }
        return .init("fingerprint", "\(Self.hash) \(octets.joined(separator: ":"))")
    }
}
