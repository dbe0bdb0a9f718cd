import Glibc
import Vault

/// Where the vault's key came from at the start, in the order in which it is looked for.
enum KeyOrigin: String {
    /// systemd handed it over; on the disk it is sealed to this machine.
    case sealed
    /// Somebody typed the passphrase that locks it.
    case passphrase
    /// It is in clear beside the vault.
    case file

    init(_ settings: Settings) {
        let credential = Environment["CREDENTIALS_DIRECTORY"].map { "\($0)/\(VaultKey.credentialName)" }
        if let credential, Self.isThere(credential) {
            self = .sealed
        } else if Self.isThere(settings.unlockedKeyFile) {
            self = .passphrase
        } else {
            self = .file
        }
    }

    private static func isThere(_ file: String) -> Bool { unsafe access(file, F_OK) == 0 }
}
