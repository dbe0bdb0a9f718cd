import Base
import Glibc
import Platform
import Vault

/// Makes a vault, and its key where a person wants it.
struct VaultMaking {
    let settings: Settings
    let sealing: SealingOptions

    /// - Parameter passphrase: Asked for only if a passphrase is to lock the key.
    /// - Returns: The key, which is in no file in clear if the place is not `file`.
    func make(_ place: KeyPlace, passphrase: () throws -> Redacted<String>) throws -> VaultKey {
        // A second key beside a vault opens nothing, and hides that the first one is missing.
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
            print("\(settings.keyFile): the key, locked. After each start of the machine: offhook vault unlock")
            return key
        case .sealed:
            let key = VaultKey()
            try sealing.seal(key)
            try make(by: key)
            sealing.tell()
            return key
        }
    }

    /// Makes the vault by a key that exists.
    func make(by key: VaultKey, belonging others: [String] = []) throws {
        _ = try VaultFile.create(at: settings.vaultFile, key: key)
        try Self.giveToOwner([settings.vaultFile, settings.vaultFile + ".lock"] + others)
        print("\(settings.vaultFile): made")
    }

    private var warning: String {
        """
        \(settings.keyFile): the key, in clear. It protects the vault from nobody who can copy both files: who takes the \
        card has passwords and recordings. `offhook vault seal` binds the key to this machine (with a TPM it is then worth \
        nothing elsewhere); `offhook vault init --key passphrase` locks a new vault's key by a passphrase that somebody types.
        """
    }

    /// Gives files that root made in another user's folder to that user.
    static func giveToOwner(_ files: [String]) throws(CommandError) {
        guard geteuid() == 0 else { return }
        for file in files {
            var (folder, own) = (stat(), stat())
            // The folder's owner may put another file in its place meanwhile, so the file is opened once, and looked at.
            let opened = try FileDescriptor(named: file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            guard unsafe stat(file.openedFolder, &folder) == 0, unsafe fstat(opened.number, &own) == 0 else {
                throw CommandError("\(file): \(SystemError.last)")
            }
            guard own.st_mode & S_IFMT == S_IFREG, own.st_nlink == 1 else {
                throw CommandError("\(file): it is not the file that was made")
            }
            guard fchown(opened.number, folder.st_uid, folder.st_gid) == 0 else {
                throw CommandError("\(file): \(SystemError.last)")
            }
        }
    }
}
