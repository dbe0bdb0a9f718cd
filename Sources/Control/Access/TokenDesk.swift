import Base
import Cryptography
import PhoneCore

/// The tokens that open the interface over HTTP, by their digests.
struct TokenDesk {
    /// In bytes; one that is longer is not ours.
    private static let longest = 128
    private static let digestBytes = 32

    /// Nil until the vault has told them.
    var all: [AccessToken]?

    var areKnown: Bool { all != nil }

    /// What the phone knows of a token that it gave away; nil for any other text. Every digest is compared whole, so
    /// that the time of the answer tells nothing.
    /// - Parameter isTried: Whether the text is compared with this token at all.
    func bearer(of token: String, where isTried: (AccessToken) -> Bool) -> AccessToken? {
        guard token.utf8.count <= Self.longest, let tried = all?.filter(isTried), !tried.isEmpty else { return nil }
        let digest = Digest.sha256(Array(token.utf8))
        var bearer: AccessToken?
        for known in tried where equalsInConstantTime(known.digest, digest, length: Self.digestBytes) {
            bearer = known
        }
        return bearer
    }

    func knows(_ token: AccessToken) -> Bool { all?.contains(token) ?? false }

    func knows(digest: [UInt8]) -> Bool { all?.contains { $0.digest == digest } ?? false }
}
