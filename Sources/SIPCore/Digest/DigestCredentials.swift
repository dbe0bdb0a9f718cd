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

/// One use of a challenge: the values that its proof is computed from besides the challenge (RFC 7616 §3.4.1).
package struct DigestUse: Equatable, Sendable {
    /// The method's name; empty for the proof that the server gives in return (RFC 7616 §3.5).
    package var method: String
    package var uri: String
    /// The nonce of the challenge, or the next one that the server gave.
    package var nonce: String
    package var count: UInt32
    package var clientNonce: String
    package var body: [UInt8]

    package init(
        method: String, uri: String, nonce: String, count: UInt32, clientNonce: String, body: [UInt8] = []
    ) {
        (self.method, self.uri, self.nonce) = (method, uri, nonce)
        (self.count, self.clientNonce, self.body) = (count, clientNonce, body)
    }

    /// `nc`: eight hexadecimal digits.
    var writtenCount: String {
        let hex = String(count, radix: 16)
        return String(repeating: "0", count: 8 - hex.utf8.count) + hex
    }
}

/// The hash functions of digest authentication. The owner supplies them, because a core imports no cryptography.
public struct DigestHashes: Sendable {
    public let md5: @Sendable ([UInt8]) -> [UInt8]
    public let sha256: @Sendable ([UInt8]) -> [UInt8]
    public let sha512256: @Sendable ([UInt8]) -> [UInt8]

    public init(
        md5: @escaping @Sendable ([UInt8]) -> [UInt8], sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        sha512256: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        (self.md5, self.sha256, self.sha512256) = (md5, sha256, sha512256)
    }

    /// The hash in lower-case hexadecimal.
    func hex(_ bytes: [UInt8], _ hash: DigestAlgorithm.Hash) -> String {
        let digest =
            switch hash {
            case .md5: md5(bytes)
            case .sha256: sha256(bytes)
            case .sha512256: sha512256(bytes)
            }
        return digest.hexadecimal
    }

    func hex(_ text: String, _ hash: DigestAlgorithm.Hash) -> String { hex(Array(text.utf8), hash) }
}
