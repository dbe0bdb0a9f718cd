import Base
import PhoneCore

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
