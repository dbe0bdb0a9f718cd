import Cryptography

extension VaultFile {
    /// The certificate that this phone shows in handshakes, and its key; nil in a vault that has none yet.
    package func identity() throws(VaultError) -> DTLSIdentity? {
        try ask { (database) throws(SQLiteError) in try database.identity() }
    }

    /// Keeps the phone's certificate, in place of any other. Far ends that compared the former one will say so.
    package mutating func keep(_ identity: DTLSIdentity) throws(VaultError) {
        try change { (database) throws(SQLiteError) in try database.keep(identity) }
    }
}
