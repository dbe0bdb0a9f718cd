import Cryptography
import Logging
import Vault

extension Phone {
    /// The phone's certificate for handshakes, created at the first start. If the vault cannot store it, calls still
    /// work.
    static func identity(in file: inout VaultFile, _ log: Logger) throws -> DTLSIdentity {
        do throws(VaultError) {
            if let known = try file.identity() { return known }
        } catch {
            log.error("cannot read the phone's certificate, so this run uses a new one: \(error)")
            return try DTLSIdentity.make()
        }
        let fresh = try DTLSIdentity.make()
        do throws(VaultError) {
            try file.keep(fresh)
        } catch {
            log.error("cannot store the phone's certificate, so the next start uses a new one: \(error)")
        }
        return fresh
    }
}
