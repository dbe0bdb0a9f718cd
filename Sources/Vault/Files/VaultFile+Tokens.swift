import Base
import PhoneCore

/// The access tokens for the control interface over HTTP.
extension VaultFile {
    /// All tokens, in the order in which they were added.
    public func tokens() throws(VaultError) -> [AccessToken] {
        try ask { (database) throws(SQLiteError) in try database.tokens() }
    }

    /// Draws a token. Only the caller has it: the vault keeps its digest.
    public mutating func addToken(label: String, _ scope: AccessScope) throws(VaultError) -> Redacted<String> {
        try TextRule.check(required: ["label": label])
        let others = try tokens()
        guard !others.contains(where: { $0.label == label }) else {
            throw .invalidValue(field: "label", expected: "one that no other token has")
        }
        guard others.count < VaultFile.tokensMaximum else {
            throw .limitReached(what: "tokens", limit: VaultFile.tokensMaximum)
        }
        let (secret, now) = (TokenSecret(), clock.read().wall)
        let token = AccessToken(label: label, scope: scope, digest: secret.digest, created: now)
        try change { (database) throws(SQLiteError) in try database.insertToken(token) }
        return secret.text
    }

    /// - Returns: False if no token has this label.
    public mutating func removeToken(label: String) throws(VaultError) -> Bool {
        guard try tokens().contains(where: { $0.label == label }) else { return false }
        try change { (database) throws(SQLiteError) in try database.deleteToken(label: label) }
        return true
    }
}
