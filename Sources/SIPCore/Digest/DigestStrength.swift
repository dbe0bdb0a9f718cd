/// How much a proof is worth: what is known of a realm never becomes less.
///
/// Whoever can put a challenge of its own into a call would else choose how the password is hashed, and could try words
/// against a hash that is quick to compute, without anything of ours in it (RFC 7616 §5.1, §5.8, RFC 8760 §3).
public struct DigestStrength: Equatable, Sendable {
    private enum Hash: Int, Comparable {
        case md5, sha2

        static func < (left: Hash, right: Hash) -> Bool { left.rawValue < right.rawValue }
    }

    private let hash: Hash
    /// A nonce of ours goes into it.
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

    /// Whether an answer gives nothing away that an answer of the other strength would not.
    public func isAtLeast(_ other: DigestStrength) -> Bool {
        hash >= other.hash && (hasQuality || !other.hasQuality)
    }

    /// As strong as both.
    public func joined(_ other: DigestStrength?) -> DigestStrength {
        guard let other else { return self }
        return DigestStrength(max(hash, other.hash), hasQuality: hasQuality || other.hasQuality)
    }
}
