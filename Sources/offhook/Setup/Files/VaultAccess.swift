import Base
import Glibc
import PhoneCore
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

    /// Reads the tokens. Works beside a running phone.
    func tokens() throws -> [ControlToken] {
        try VaultFile.open(settings.vaultFile, key: key(), access: .readOnly).tokens()
    }

    /// Adds a token in place of the one with this label.
    /// - Parameter key: Nil: find the key.
    func replaceToken(_ label: String, _ scope: AccessScope, by key: VaultKey?) throws -> Redacted<String> {
        var vault = try open(by: key ?? self.key(), instead: "run this again when the phone answers")
        _ = try vault.removeToken(label: label)
        let token = try vault.addToken(label: label, scope)
        try VaultMaking.giveToOwner([settings.vaultFile, settings.vaultFile + ".lock"])
        return token
    }

    /// - Returns: False if no token has this label.
    func removeToken(_ label: String) throws -> Bool {
        var vault = try open(by: key(), instead: "run this again when the phone answers")
        let isRemoved = try vault.removeToken(label: label)
        try VaultMaking.giveToOwner([settings.vaultFile, settings.vaultFile + ".lock"])
        return isRemoved
    }

    /// - Parameter remedy: What a person can do while a running phone has the vault.
    private func open(
        by key: VaultKey, instead remedy: String = "add the account by `offhook ctl account add`"
    ) throws -> VaultFile {
        do throws(VaultError) {
            return try VaultFile.open(settings.vaultFile, key: key, access: .exclusive)
        } catch {
            guard case .locked(let path) = error else { throw error }
            throw CommandError("\(path) is in use by a running phone: \(remedy), or stop the phone first")
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

/// Creates a vault, and its key in the place that a person has chosen.
struct VaultMaking {
    let settings: Settings
    let sealing: SealingOptions

    /// - Parameter passphrase: Called only if a passphrase locks the key.
    /// - Returns: The key. It is in an unencrypted file only if the place is `file`.
    func make(_ place: KeyPlace, passphrase: () throws -> Redacted<String>) throws -> VaultKey {
        // A second key beside a vault would open nothing, and would hide that the first is missing.
        guard !settings.hasVault else { throw VaultError.alreadyExists(path: settings.vaultFile) }
        switch place {
        case .file:
            let key = try VaultKey.create(at: settings.keyFile)
            try make(by: key, belonging: [settings.keyFile])
            print(warning)
            return key
        case .passphrase:
            let key = VaultKey()
            try key.lock(by: passphrase(), at: settings.keyFile)
            try make(by: key, belonging: [settings.keyFile])
            print("\(settings.keyFile): the locked key; after each start of the machine run `offhook vault unlock`")
            return key
        case .sealed:
            let key = VaultKey()
            try sealing.seal(key)
            try make(by: key)
            sealing.tell()
            return key
        }
    }

    /// Creates the vault with an existing key.
    func make(by key: VaultKey, belonging others: [String] = []) throws {
        _ = try VaultFile.create(at: settings.vaultFile, key: key)
        try Self.giveToOwner([settings.vaultFile, settings.vaultFile + ".lock"] + others)
        print("\(settings.vaultFile): created")
    }

    private var warning: String {
        """
        \(settings.keyFile): the key, unencrypted. Anyone who copies both files, for example from the SD card, can \
        read all passwords and recordings. `offhook vault seal` binds the key to this machine; with a TPM it then \
        opens nothing elsewhere. `offhook vault init --key passphrase` locks the key of a new vault with a passphrase.
        """
    }

    /// Gives files that root has created in another user's folder to that user.
    static func giveToOwner(_ files: [String]) throws(CommandError) {
        guard geteuid() == 0 else { return }
        for file in files {
            var (folder, own) = (stat(), stat())
            // The folder's owner could replace the file at any time. So open it once and check the descriptor.
            let opened = try FileDescriptor(named: file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            guard unsafe stat(file.openedFolder, &folder) == 0, unsafe fstat(opened.number, &own) == 0 else {
                throw CommandError("\(file): \(SystemError.last)")
            }
            guard own.st_mode & S_IFMT == S_IFREG, own.st_nlink == 1 else {
                throw CommandError("\(file): another program has replaced the new file, so its owner was not changed")
            }
            guard fchown(opened.number, folder.st_uid, folder.st_gid) == 0 else {
                throw CommandError("\(file): \(SystemError.last)")
            }
        }
    }
}
