import Base
import Cryptography

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
