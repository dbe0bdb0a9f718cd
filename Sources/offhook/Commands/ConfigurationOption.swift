import ArgumentParser
import Glibc
import Vault

/// The phone that a command is about.
struct ConfigurationOption: ParsableArguments {
    static let usual = "/etc/offhook/offhook.yaml"

    @Option(name: [.short, .long], help: "The phone's configuration file.", completion: .file(extensions: ["yaml"]))
    var config = Self.usual

    /// False only if there is no such file: one that cannot be read is an error of `load`.
    var exists: Bool { unsafe access(config, F_OK) == 0 || errno != ENOENT }

    func load() throws -> Settings { try Settings(path: config) }
}

extension Settings {
    /// Finds the vault's key: the credential that systemd provides, else the key that a passphrase has unlocked, else
    /// the key file.
    func vaultKey() throws(VaultError) -> VaultKey {
        do throws(VaultError) {
            return try VaultKey.find(
                keyFile: keyFile, unlockedFile: unlockedKeyFile,
                credentialsDirectory: Environment["CREDENTIALS_DIRECTORY"])
        } catch {
            guard case .keyNotFound(let places) = error, hasVault else { throw error }
            throw .keyLost(vault: vaultFile, places: places)
        }
    }

    /// Whether there is a vault, which only its own key opens.
    var hasVault: Bool { unsafe access(vaultFile, F_OK) == 0 }

    func openVault(access: VaultFile.Access) throws(VaultError) -> VaultFile {
        try VaultFile.open(vaultFile, key: vaultKey(), access: access)
    }
}
