/// The hash functions of digest authentication, given by whoever may import them: a core imports no cryptography.
public struct DigestHashes: Sendable {
    public let md5: @Sendable ([UInt8]) -> [UInt8]
    public let sha256: @Sendable ([UInt8]) -> [UInt8]

    public init(md5: @escaping @Sendable ([UInt8]) -> [UInt8], sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        (self.md5, self.sha256) = (md5, sha256)
    }

    func hex(_ text: String, _ hash: DigestAlgorithm.Hash) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let digest =
            switch hash {
            case .md5: md5(Array(text.utf8))
            case .sha256: sha256(Array(text.utf8))
            }
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }, as: UTF8.self)
    }
}

/// The algorithms that we answer (RFC 7616 §6.1, RFC 8760 §2.1).
public struct DigestAlgorithm: Hashable, Sendable {
    public enum Hash: Hashable, Sendable { case md5, sha256 }

    public let hash: Hash
    /// The password's hash is bound to the first nonces of the session.
    public let isSession: Bool

    /// - Parameter name: As in a challenge; nil means MD5 (RFC 7616 §3.3).
    init?(_ name: String?) {
        switch name?.asciiLowercased {
        case nil, "md5": self.init(.md5, isSession: false)
        case "md5-sess": self.init(.md5, isSession: true)
        case "sha-256": self.init(.sha256, isSession: false)
        case "sha-256-sess": self.init(.sha256, isSession: true)
        default: return nil
        }
    }

    private init(_ hash: Hash, isSession: Bool) { (self.hash, self.isSession) = (hash, isSession) }
}
