import Base
import Cryptography
import PhoneCore

/// The tokens of the control interface over HTTP.
extension VaultFile {
    /// All tokens, in the order in which they were added.
    public func tokens() throws(VaultError) -> [ControlToken] {
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
        let token = ControlToken(label: label, scope: scope, digest: secret.digest, created: now)
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

/// A new token: 256 random bits as text that needs no quoting in a header, a URL or a shell (RFC 4648 §5). Scanners for
/// leaked secrets can find it by its prefix.
struct TokenSecret {
    private static let prefix = "ohk_"
    private static let bits = 256

    let text: Redacted<String>
    /// SHA-256 of the text. A slow digest is for passwords, which can be guessed; this token cannot.
    let digest: [UInt8]

    init() {
        let text = Self.prefix + Base64URL.encode(Salt.make(Self.bits / 8))
        self.text = Redacted(text)
        digest = Digest.sha256(Array(text.utf8))
    }
}

/// The table of tokens, one for each label, in the order of their addition. It contains digests, not tokens.
extension Database {
    func insertToken(_ token: ControlToken) throws(SQLiteError) {
        try run(
            "INSERT INTO token (label, scope, digest, created_ms) VALUES (?, ?, ?, ?)",
            [
                .text(token.label), .text(token.scope.rawValue), .text(token.digest.hexadecimal),
                .integer(token.created.unixMilliseconds),
            ])
    }

    func tokens() throws(SQLiteError) -> [ControlToken] {
        try rows("SELECT label, scope, digest, created_ms FROM token ORDER BY id") { (row) throws(SQLiteError) in
            guard let scope = AccessScope(rawValue: try row.text(1)), let digest = [UInt8](digest: try row.text(2))
            else { throw .unexpected("a token has an unknown scope or no digest") }
            return ControlToken(
                label: try row.text(0), scope: scope, digest: digest,
                created: WallTime(unixMilliseconds: try row.integer(3)))
        }
    }

    func deleteToken(label: String) throws(SQLiteError) {
        try run("DELETE FROM token WHERE label = ?", [.text(label)])
    }
}

extension [UInt8] {
    /// A SHA-256 as 64 hexadecimal digits; nil for any other text.
    fileprivate init?(digest text: String) {
        let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
        guard text.utf8.count == 64, digits.count == 64 else { return nil }
        self = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
