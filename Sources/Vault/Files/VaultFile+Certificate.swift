import Cryptography

extension VaultFile {
    /// The certificate that this phone shows in DTLS handshakes, and its key; nil before the first one is kept.
    package func identity() throws(VaultError) -> DTLSIdentity? {
        try ask { (database) throws(SQLiteError) in try database.identity() }
    }

    /// Keeps the phone's certificate, and replaces any other. Far ends that compared the old one will warn their users.
    package mutating func keep(_ identity: DTLSIdentity) throws(VaultError) {
        try change { (database) throws(SQLiteError) in try database.keep(identity) }
    }
}
