/// The strength of a digest proof. The strength that is known of a realm never decreases.
///
/// Otherwise an attacker who can insert a challenge into a call could choose how the password is hashed. Such a hash
/// could be quick to compute and contain no nonce of ours, so that passwords could be guessed against it
/// (RFC 7616 §5.1, §5.8, RFC 8760 §3).
public struct DigestStrength: Equatable, Sendable {
    private enum Hash: Int, Comparable {
        case md5, sha2

        static func < (left: Hash, right: Hash) -> Bool { left.rawValue < right.rawValue }
    }

    private let hash: Hash
    /// Whether a client nonce of ours goes into the proof.
    private let hasQuality: Bool

    public init(_ challenge: DigestChallenge) {
        hash =
            switch challenge.algorithm.hash {
            case .md5: .md5
            case .sha256, .sha512256: .sha2
            }
        hasQuality = challenge.protection != nil
    }

    private init(_ hash: Hash, hasQuality: Bool) { (self.hash, self.hasQuality) = (hash, hasQuality) }

    /// Whether an answer of this strength reveals no more than an answer of the other strength.
    public func isAtLeast(_ other: DigestStrength) -> Bool {
        hash >= other.hash && (hasQuality || !other.hasQuality)
    }

    /// The weakest strength that is no weaker than either of the two.
    public func joined(_ other: DigestStrength?) -> DigestStrength {
        guard let other else { return self }
        return DigestStrength(max(hash, other.hash), hasQuality: hasQuality || other.hasQuality)
    }
}
