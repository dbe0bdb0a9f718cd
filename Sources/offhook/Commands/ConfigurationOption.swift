import ArgumentParser
import Vault

/// The phone that a command is about.
struct ConfigurationOption: ParsableArguments {
    @Option(name: [.short, .long], help: "The phone's configuration file.")
    var config = Self.usual

    static let usual = "/etc/offhook/offhook.yaml"

    func load() throws -> Settings { try Settings(path: config) }
}

extension Settings {
    /// Finds the vault's key: the credential that systemd provides, else the key that a passphrase has unlocked, else
    /// the key file.
    func vaultKey() throws(VaultError) -> VaultKey {
        try VaultKey.find(
            keyFile: keyFile, unlockedFile: unlockedKeyFile, credentialsDirectory: Environment["CREDENTIALS_DIRECTORY"])
    }

    func openVault(access: VaultFile.Access) throws(VaultError) -> VaultFile {
        try VaultFile.open(vaultFile, key: vaultKey(), access: access)
    }
}
