import Cryptography
import Logging
import Vault

extension Phone {
    /// The certificate that this phone shows in handshakes, made at its first start. A vault that cannot keep it does not
    /// keep the phone from calling.
    static func identity(in file: inout VaultFile, _ log: Logger) throws -> DTLSIdentity {
        do throws(VaultError) {
            if let known = try file.identity() { return known }
        } catch {
            log.error("the phone's certificate cannot be read, it shows another one in this run: \(error)")
            return try DTLSIdentity.make()
        }
        let fresh = try DTLSIdentity.make()
        do throws(VaultError) {
            try file.keep(fresh)
        } catch {
            log.error("the phone's certificate was not kept, it shows another one at the next start: \(error)")
        }
        return fresh
    }
}
