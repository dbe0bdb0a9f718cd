import ArgumentParser
import Glibc
import Platform
import Vault

/// Options for a sealed key: its file and its binding.
struct SealingOptions: ParsableArguments {
    @Option(name: .customLong("with-key"), help: "Binding of a sealed key: auto, host, tpm2 or host+tpm2.")
    var binding = SystemdCredentials.Binding.auto
    static let usualCredential = "/etc/offhook/vault-key.cred"
    @Option(help: "File for the sealed key.")
    var credential = Self.usualCredential
    @Option(help: "systemd drop-in to write, which loads the key for the service; empty: do not write one.")
    var dropIn = "/etc/systemd/system/offhook.service.d/vault-key.conf"

    func validate() throws {
        // systemd accepts only absolute paths.
        guard credential.hasPrefix("/"), dropIn.isEmpty || dropIn.hasPrefix("/") else {
            throw ValidationError("--credential and --drop-in must be absolute paths")
        }
    }

    /// Writes the sealed key to the disk. Returns after it has read the key back unchanged.
    func seal(_ key: VaultKey) throws {
        try Self.requireRoot()
        if binding == .auto, !SystemdCredentials.hasTPM {
            print(
                "warning: this machine has no TPM, so the key is bound to a host key on the same disk; a thief gets "
                    + "both"
            )
        }
        try VaultKey.put(SystemdCredentials.seal(key, to: binding), at: credential)
        do {
            guard try SystemdCredentials.open(credential).isSame(as: key) else {
                throw CommandError(
                    "\(credential): the sealed key read back differs from the original, so it was removed")
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
        guard geteuid() == 0 else { throw CommandError("only root can seal a key; run this command with sudo") }
    }

    func tell() {
        print("\(credential): the key, sealed to this machine")
        if dropIn.isEmpty {
            print("add to the service's unit: LoadCredentialEncrypted=\(VaultKey.credentialName):\(credential)")
        } else {
            print("\(dropIn): loads the key for the service; run other commands with\n  \(Self.elsewhere(credential))")
        }
    }

    /// The command line that gives the key to a command other than the service.
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
            abstract: "Move the key from its file into a systemd credential that only this machine can open.",
            discussion: """
                Removes the key file only after the sealed key was read back from the disk and has opened the vault. A \
                disk may keep removed data: `offhook vault init --key sealed` makes a key that was never in a file.
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
