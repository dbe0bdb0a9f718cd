import Base
import Cryptography
import PhoneCore

/// The valid tokens for HTTP, by their digests.
struct TokenDesk {
    /// In bytes. A longer text cannot be a token of the phone.
    private static let longest = 128
    private static let digestBytes = 32

    /// Nil until the vault has answered.
    var all: [AccessToken]?

    var areKnown: Bool { all != nil }

    /// The phone's record of a valid token; nil for any other text. Compares every digest completely, so that the time
    /// of the answer reveals nothing.
    /// - Parameter isTried: Whether to compare the text with this token at all.
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
