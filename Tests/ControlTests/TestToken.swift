import Cryptography
import PhoneCore

/// The tokens that the vault of a test has.
enum TestToken {
    static let all = VaultAnswer.tokens(AccessScope.allCases.map(known), added: nil)

    /// The token that a client sends.
    static func text(_ scope: AccessScope) -> String { "ohk_of-a-test-\(scope.rawValue)" }

    static func known(_ scope: AccessScope) -> ControlToken {
        ControlToken(
            label: scope.rawValue, scope: scope, digest: Digest.sha256(Array(text(scope).utf8)),
            created: WallTime(unixMilliseconds: 1_764_000_000_000))
    }
}
