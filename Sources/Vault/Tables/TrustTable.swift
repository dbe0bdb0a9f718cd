import PhoneCore

/// The table of what lines have learned about their accounts' servers: at most one row for each account.
extension Database {
    /// Does nothing for an account that does not exist, so that there are never more rows than accounts.
    func keep(_ trust: LineTrust, of account: AccountID) throws(SQLiteError) {
        try run(
            """
            INSERT OR REPLACE INTO account_trust (account, hash, has_client_nonce, realm, over_tls)
            SELECT id, ?, ?, ?, ? FROM account WHERE id = ?
            """,
            [
                SQLValue(trust.proof?.hash.rawValue), SQLValue(trust.proof?.hasClientNonce ?? false),
                SQLValue(trust.realm.map(limited)), SQLValue(trust.isOverTLS), .integer(account.rawValue),
            ])
    }

    func trusts() throws(SQLiteError) -> [AccountID: LineTrust] {
        let rows = try rows("SELECT account, hash, has_client_nonce, realm, over_tls FROM account_trust") {
            (row) throws(SQLiteError) in
            var trust = LineTrust(realm: try row.optionalText(3), isOverTLS: try row.flag(4))
            if let name = try row.optionalText(1) {
                guard let hash = LineTrust.Proof.Hash(rawValue: name) else {
                    throw .unexpected("an account's server has an unknown hash")
                }
                trust.proof = LineTrust.Proof(hash, hasClientNonce: try row.flag(2))
            }
            return (AccountID(try row.integer(0)), trust)
        }
        return Dictionary(rows) { _, last in last }
    }

    func deleteTrust(of account: AccountID) throws(SQLiteError) {
        try run("DELETE FROM account_trust WHERE account = ?", [.integer(account.rawValue)])
    }
}
