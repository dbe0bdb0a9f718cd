import Base
import PhoneCore

/// The table of tokens, one for each label, in the order of their addition. It contains digests, not tokens.
extension Database {
    func insertToken(_ token: AccessToken) throws(SQLiteError) {
        try run(
            "INSERT INTO token (label, scope, digest, created_ms) VALUES (?, ?, ?, ?)",
            [
                .text(token.label), .text(token.scope.rawValue), .text(token.digest.hexadecimal),
                .integer(token.created.unixMilliseconds),
            ])
    }

    func tokens() throws(SQLiteError) -> [AccessToken] {
        try rows("SELECT label, scope, digest, created_ms FROM token ORDER BY id") { (row) throws(SQLiteError) in
            guard let scope = AccessScope(rawValue: try row.text(1)), let digest = [UInt8](digest: try row.text(2))
            else { throw .unexpected("a token has an unknown scope or no digest") }
            return AccessToken(
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
