import Base

/// Whom we are, to whom.
public struct DigestCredentials: Equatable, Sendable {
    public let username: String
    public let password: Redacted<String>
    /// The realm that they are for; nil for any challenge of the account's own server.
    public let realm: String?

    public init(username: String, password: Redacted<String>, realm: String? = nil) {
        (self.username, self.password, self.realm) = (username, password, realm)
    }

    /// The `response` value (RFC 7616 §3.4.1).
    package func response(
        to challenge: DigestChallenge, method: SIPMethod, uri: String, count: String, clientNonce: String,
        _ hashes: DigestHashes
    ) -> String {
        let hash = challenge.algorithm.hash
        var secret = hashes.hex("\(username):\(challenge.realm):\(password.reveal())", hash)
        if challenge.algorithm.isSession { secret = hashes.hex("\(secret):\(challenge.nonce):\(clientNonce)", hash) }
        let request = hashes.hex("\(method):\(uri)", hash)
        let protection = challenge.hasQualityOfProtection ? "\(count):\(clientNonce):auth:" : ""
        return hashes.hex("\(secret):\(challenge.nonce):\(protection)\(request)", hash)
    }
}
