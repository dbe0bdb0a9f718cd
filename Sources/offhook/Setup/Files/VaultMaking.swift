import Base
import Glibc
import Platform
import Vault

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
