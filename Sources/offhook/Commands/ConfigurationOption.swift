import ArgumentParser
import Glibc
import Vault

/// The phone that a command works on, named by its configuration file.
struct ConfigurationOption: ParsableArguments {
    static let usual = "/etc/offhook/offhook.yaml"

    @Option(name: [.short, .long], help: "The phone's configuration file.", completion: .file(extensions: ["yaml"]))
    var config = Self.usual

    /// False only if the file does not exist. If it cannot be read, `load` throws.
    var exists: Bool { unsafe access(config, F_OK) == 0 || errno != ENOENT }

    func load() throws -> Settings { try Settings(path: config) }
}

extension Settings {
    /// Finds the vault's key. Order: the credential from systemd, the key unlocked by a passphrase, the key file.
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

    /// Whether the vault file exists. Only its own key opens it.
    var hasVault: Bool { unsafe access(vaultFile, F_OK) == 0 }

    func openVault(access: VaultFile.Access) throws(VaultError) -> VaultFile {
        try VaultFile.open(vaultFile, key: vaultKey(), access: access)
    }
}
