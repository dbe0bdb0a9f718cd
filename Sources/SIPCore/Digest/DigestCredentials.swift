import Base

/// The user name and password with which a challenge is answered.
public struct DigestCredentials: Equatable, Sendable {
    public let username: String
    public let password: Redacted<String>
    /// The realm that the credentials are for; nil for any challenge of the account's own server.
    public let realm: String?

    public init(username: String, password: Redacted<String>, realm: String? = nil) {
        (self.username, self.password, self.realm) = (username, password, realm)
    }

    /// The `response` value, or `rspauth` (RFC 7616 §3.4.1, §3.5). Names enter the hash without quotes and escapes.
    package func proof(_ use: DigestUse, of challenge: DigestChallenge, _ hashes: DigestHashes) -> String {
        let hash = challenge.algorithm.hash
        var secret = hashes.hex("\(username):\(challenge.realm):\(password.reveal())", hash)
        // The secret stays bound to the first nonce while the challenge is in use, even after the server gave another
        // nonce.
        if challenge.algorithm.isSession {
            secret = hashes.hex("\(secret):\(challenge.nonce):\(use.clientNonce)", hash)
        }
        var what = "\(use.method):\(use.uri)"
        if challenge.protection == .body { what += ":" + hashes.hex(use.body, hash) }
        let protection = challenge.protection.map { "\(use.writtenCount):\(use.clientNonce):\($0.rawValue):" } ?? ""
        return hashes.hex("\(secret):\(use.nonce):\(protection)\(hashes.hex(what, hash))", hash)
    }
}
