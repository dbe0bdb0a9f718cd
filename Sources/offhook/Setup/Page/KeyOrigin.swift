import Glibc
import Vault

/// Where the phone found the vault's key at its start, in the order of its search.
enum KeyOrigin: String {
    /// systemd provided it. On the disk it is sealed to this machine.
    case sealed
    /// A person typed the passphrase that unlocks it.
    case passphrase
    /// It is unencrypted beside the vault.
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
