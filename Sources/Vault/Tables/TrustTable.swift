import Base
import Cryptography
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

/// The table of far ends' fingerprints whose words were compared: one for each number of an account, oldest first.
extension Database {
    /// Above the limit the oldest are deleted.
    func keep(_ key: PeerFingerprint, limit: Int) throws(SQLiteError) {
        try forget(key.peer)
        try run(
            "INSERT INTO peer_key (account, number, fingerprint) VALUES (?, ?, ?)",
            [
                .integer(key.peer.account.rawValue), .text(limited(key.peer.number)),
                .text(key.fingerprint.hexadecimal),
            ])
        try run(
            "DELETE FROM peer_key WHERE id NOT IN (SELECT id FROM peer_key ORDER BY id DESC LIMIT ?)",
            [.integer(Int64(limit))])
    }

    func forget(_ peer: PeerFingerprint.Peer) throws(SQLiteError) {
        try run(
            "DELETE FROM peer_key WHERE account = ? AND number = ?",
            [.integer(peer.account.rawValue), .text(limited(peer.number))])
    }

    func forgetKeys(of account: AccountID) throws(SQLiteError) {
        try run("DELETE FROM peer_key WHERE account = ?", [.integer(account.rawValue)])
    }

    func peerKeys() throws(SQLiteError) -> [PeerFingerprint] {
        try rows("SELECT account, number, fingerprint FROM peer_key ORDER BY id") { (row) throws(SQLiteError) in
            guard let fingerprint = try row.text(2).hexadecimalBytes else {
                throw .unexpected("a far end's key is not in hexadecimal")
            }
            let peer = PeerFingerprint.Peer(account: AccountID(try row.integer(0)), number: try row.text(1))
            return PeerFingerprint(peer, fingerprint: fingerprint)
        }
    }
}

/// The table of the phone's certificate: at most one row, in hexadecimal.
extension Database {
    func identity() throws(SQLiteError) -> DTLSIdentity? {
        try rows("SELECT der, key FROM certificate") { (row) throws(SQLiteError) in
            guard let der = try row.text(0).hexadecimalBytes, var key = try row.text(1).hexadecimalBytes
            else {
                throw .unexpected("the phone's certificate is not in hexadecimal")
            }
            return DTLSIdentity(certificate: Certificate(der: der), key: SecretBytes(taking: &key))
        }.first
    }

    func keep(_ identity: DTLSIdentity) throws(SQLiteError) {
        let key = unsafe identity.key.withBytes { unsafe $0.hexadecimal }
        try run(
            "INSERT OR REPLACE INTO certificate (id, der, key) VALUES (1, ?, ?)",
            [.text(identity.certificate.der.hexadecimal), .text(key)])
    }
}
