import Glibc
import Platform
import Vault

/// Opens the vault for commands that may run as root, while vault and key belong to the phone's user.
struct VaultAccess {
    let settings: Settings
    /// The file of a key sealed to this machine. Only root can open it.
    let credential: String

    var exists: Bool {
        var status = stat()
        return unsafe stat(settings.vaultFile, &status) == 0
    }

    func key() throws -> VaultKey {
        if let key = try foundKey() { return key }
        return try SystemdCredentials.open(credential)
    }

    /// Nil: the only key is sealed to this machine.
    private func foundKey() throws(VaultError) -> VaultKey? {
        do throws(VaultError) {
            return try VaultKey.find(
                keyFile: settings.keyFile, unlockedFile: settings.unlockedKeyFile,
                credentialsDirectory: Environment["CREDENTIALS_DIRECTORY"], owner: owner)
        } catch {
            guard case .keyNotFound(let places) = error else { throw error }
            if geteuid() == 0, isSealed { return nil }
            throw exists ? .keyLost(vault: settings.vaultFile, places: places) : error
        }
    }

    /// Reads the accounts. Works beside a running phone.
    func accounts() throws -> [StoredAccount] {
        try VaultFile.open(settings.vaultFile, key: key(), access: .readOnly).accounts()
    }

    /// - Parameter key: Nil: find the key.
    func add(_ account: Account, by key: VaultKey?) throws {
        var vault = try open(by: key ?? self.key())
        _ = try vault.addAccount(account)
        try VaultMaking.giveToOwner([settings.vaultFile, settings.vaultFile + ".lock"])
    }

    private func open(by key: VaultKey) throws -> VaultFile {
        do throws(VaultError) {
            return try VaultFile.open(settings.vaultFile, key: key, access: .exclusive)
        } catch {
            guard case .locked(let path) = error else { throw error }
            throw CommandError(
                "\(path) is in use by a running phone: add the account by `offhook ctl account add`, or stop the phone "
                    + "first")
        }
    }

    var isSealed: Bool {
        var status = stat()
        return unsafe stat(credential, &status) == 0
    }

    private var owner: uid_t? {
        var status = stat()
        return unsafe stat(settings.vaultFile, &status) == 0 ? status.st_uid : nil
    }
}
