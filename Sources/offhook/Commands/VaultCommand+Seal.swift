import ArgumentParser
import Glibc
import Platform
import Vault

/// Where a sealed key is put, and what it is bound to.
struct SealingOptions: ParsableArguments {
    @Option(name: .customLong("with-key"), help: "What a sealed key is bound to: auto, host, tpm2 or host+tpm2.")
    var binding = SystemdCredentials.Binding.auto
    static let usualCredential = "/etc/offhook/vault-key.cred"
    @Option(help: "The file of the sealed key.")
    var credential = Self.usualCredential
    @Option(help: "The file that tells the service of it; empty: none.")
    var dropIn = "/etc/systemd/system/offhook.service.d/vault-key.conf"

    func validate() throws {
        // The service manager accepts only absolute paths.
        guard credential.hasPrefix("/"), dropIn.isEmpty || dropIn.hasPrefix("/") else {
            throw ValidationError("--credential and --drop-in are absolute paths")
        }
    }

    /// Writes the sealed key to the disk. Returns when it has been read back and is the same.
    func seal(_ key: VaultKey) throws {
        try Self.requireRoot()
        if binding == .auto, !SystemdCredentials.hasTPM {
            print("this machine has no TPM: the key is bound to a host key on the same disk, which a thief has, too")
        }
        try VaultKey.put(SystemdCredentials.seal(key, to: binding), at: credential)
        do {
            guard try SystemdCredentials.open(credential).isSame(as: key) else {
                throw CommandError("\(credential): what was sealed is not what comes out")
            }
        } catch {
            _ = unsafe unlink(credential)
            throw error
        }
        if !dropIn.isEmpty {
            try makeFolder(of: dropIn)
            try VaultKey.put(Array(unit.utf8), at: dropIn)
            guard unsafe chmod(dropIn, 0o644) == 0 else { throw CommandError("\(dropIn): \(SystemError.last)") }
            try SystemdCredentials.reloadUnits()
        }
    }

    /// Only root may use the host's key and the TPM, and write to the unit's folder.
    static func requireRoot() throws(CommandError) {
        guard geteuid() == 0 else { throw CommandError("only root seals a key: run this command by sudo") }
    }

    func tell() {
        print("\(credential): the key, sealed to this machine")
        if dropIn.isEmpty {
            print("the service needs LoadCredentialEncrypted=\(VaultKey.credentialName):\(credential)")
        } else {
            print("\(dropIn): tells the service; other commands get the key by\n  \(Self.elsewhere(credential))")
        }
    }

    /// How a command other than the service gets the key.
    static func elsewhere(_ credential: String) -> String {
        "systemd-run --pty --uid=offhook -p LoadCredentialEncrypted=\(VaultKey.credentialName):\(credential) offhook …"
    }

    private var unit: String {
        "[Service]\nLoadCredentialEncrypted=\(VaultKey.credentialName):\(credential)\n"
    }

    private func makeFolder(of file: String) throws {
        guard let slash = file.lastIndex(of: "/"), slash != file.startIndex else { return }
        let folder = String(file[..<slash])
        guard unsafe mkdir(folder, 0o755) == 0 || errno == EEXIST else {
            throw CommandError("\(folder): \(SystemError.last)")
        }
    }
}

extension SystemdCredentials.Binding: ExpressibleByArgument {}

extension VaultCommand {
    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seal",
            abstract: "Move the key from its file into a systemd credential that only this machine opens.",
            discussion: """
                The key file is removed when the sealed key was read back from the disk and opens the vault, not before. A disk may \
                keep what was removed: a key that was never in a file is made by `offhook vault init --key sealed`.
                """)

        @OptionGroup var phone: ConfigurationOption
        @OptionGroup var sealing: SealingOptions

        func run() throws {
            try SealingOptions.requireRoot()
            let settings = try phone.load()
            let key = try VaultKey.find(
                keyFile: settings.keyFile, credentialsDirectory: nil, owner: owner(of: settings.vaultFile))
            _ = try VaultFile.open(settings.vaultFile, key: key, access: .readOnly)
            try sealing.seal(key)
            _ = try VaultFile.open(
                settings.vaultFile, key: SystemdCredentials.open(sealing.credential), access: .readOnly)
            try VaultKey.remove(settings.keyFile)
            sealing.tell()
            print("\(settings.keyFile): removed")
        }

        private func owner(of file: String) -> uid_t? {
            var status = stat()
            return unsafe stat(file, &status) == 0 ? status.st_uid : nil
        }
    }
}
