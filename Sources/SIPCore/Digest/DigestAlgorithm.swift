/// The digest algorithms that we support (RFC 7616 §6.1, RFC 8760 §2.1).
public struct DigestAlgorithm: Hashable, Sendable {
    public enum Hash: Hashable, Sendable { case md5, sha256, sha512256 }

    public let hash: Hash
    /// Whether the password's hash is bound to the first nonces of the session.
    public let isSession: Bool

    /// - Parameter name: As in a challenge; nil means MD5 (RFC 7616 §3.3).
    init?(_ name: String?) {
        switch name?.asciiLowercased {
        case nil, "md5": self.init(.md5, isSession: false)
        case "md5-sess": self.init(.md5, isSession: true)
        case "sha-256": self.init(.sha256, isSession: false)
        case "sha-256-sess": self.init(.sha256, isSession: true)
        case "sha-512-256": self.init(.sha512256, isSession: false)
        case "sha-512-256-sess": self.init(.sha512256, isSession: true)
        default: return nil
        }
    }

    private init(_ hash: Hash, isSession: Bool) { (self.hash, self.isSession) = (hash, isSession) }
}
