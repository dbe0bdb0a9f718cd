/// The strength of a digest proof. The strength that is known of an account's server never decreases.
///
/// Otherwise an attacker who can insert a challenge into a call could choose how the password is hashed. A hash that is
/// quick to compute and lacks our nonce helps to guess the password (RFC 7616 §5.1, §5.8, RFC 8760 §3).
public struct DigestStrength: Equatable, Sendable {
    public enum Hash: Int, Comparable, Sendable {
        case md5, sha2

        public static func < (left: Hash, right: Hash) -> Bool { left.rawValue < right.rawValue }
    }

    public let hash: Hash
    /// Whether the proof contains our client nonce.
    public let hasQuality: Bool

    public init(_ hash: Hash, hasQuality: Bool) { (self.hash, self.hasQuality) = (hash, hasQuality) }

    public init(_ challenge: DigestChallenge) {
        self.init(challenge.algorithm, hasQuality: challenge.protection != nil)
    }

    /// The strength that a server is known to accept once it has accepted this request. It is that of the weakest
    /// credentials, because the server may have checked only those. Nil if the request has none.
    public init?(of request: SIPRequest) {
        let proofs = [SIPHeaderName.authorization, .proxyAuthorization].flatMap { request.headers.lines($0) }
            .compactMap { try? Authentication($0) }
        let strengths = proofs.compactMap { proof in
            DigestAlgorithm(proof.parameters["algorithm"]).map {
                DigestStrength($0, hasQuality: proof.parameters["qop"] != nil)
            }
        }
        guard let first = strengths.first else { return nil }
        self = strengths.reduce(first) { $0.met($1) }
    }

    private init(_ algorithm: DigestAlgorithm, hasQuality: Bool) {
        switch algorithm.hash {
        case .md5: self.init(.md5, hasQuality: hasQuality)
        case .sha256, .sha512256: self.init(.sha2, hasQuality: hasQuality)
        }
    }

    /// Whether an answer of this strength reveals no more than an answer of the other strength.
    public func isAtLeast(_ other: DigestStrength) -> Bool {
        hash >= other.hash && (hasQuality || !other.hasQuality)
    }

    /// The weakest strength that is no weaker than either of the two.
    public func joined(_ other: DigestStrength?) -> DigestStrength {
        guard let other else { return self }
        return DigestStrength(max(hash, other.hash), hasQuality: hasQuality || other.hasQuality)
    }

    /// The strongest strength that is no stronger than either of the two.
    public func met(_ other: DigestStrength) -> DigestStrength {
        DigestStrength(min(hash, other.hash), hasQuality: hasQuality && other.hasQuality)
    }
}

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
