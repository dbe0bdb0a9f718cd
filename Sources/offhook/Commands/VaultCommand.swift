import Base
import CProcess
import Commands
import Glibc
import JSON
import Platform
import Vault

enum VaultCommand {
    static var command: Command {
        .group(
            "vault", "Create and verify the encrypted file that holds accounts and history.",
            discussion: """
                The vault is as safe as its key. With a key file beside the vault (the default), anyone who copies \
                both can read it. With a key sealed to the machine's TPM, a stolen disk cannot be read. With a key \
                locked by a passphrase, a stolen machine cannot be read.
                """, [initialise, seal, unlock, check])
    }

    private static var check: Command {
        Command(
            "check", "Verify every byte of the vault and all its contents. May run beside the phone.",
            discussion: """
                With --json, an object: path, sound, bytes, schema, accounts, calls, missed, contacts, records, \
                organization, inCall and problems.
                """, ConfigurationOption.input, Parameter.flag("json", "Print JSON.")
        ) { phone, isJSON in
            let settings = try phone.load()
            let report = try VaultFile.check(settings.vaultFile, key: settings.vaultKey())
            print(isJSON ? report.json.text : "\(report)")
            if !report.isSound { throw ExitCode.failure }
        }
    }

    private static var unlock: Command {
        Command(
            "unlock", "Unlock a key that is locked by a passphrase, until the machine stops.",
            discussion: """
                Writes the key beside the control socket. That folder must be in memory, because a disk would keep \
                the key.
                """, ConfigurationOption.input, SecretInput.input
        ) { phone, secret in
            let settings = try phone.load()
            guard MemoryFolder.contains(settings.unlockedKeyFile) else {
                throw CommandError(
                    "\(settings.unlockedKeyFile): this folder is on a disk, which would keep the key; it must be in "
                        + "memory, such as in /run")
            }
            let key = try VaultKey.unlock(settings.keyFile, by: secret.read(asking: "Passphrase: "))
            _ = try VaultFile.open(settings.vaultFile, key: key, access: .readOnly)
            try key.write(to: settings.unlockedKeyFile)
            print("\(settings.unlockedKeyFile): the key is unlocked until the machine stops")
        }
    }
}

extension VaultReport {
    fileprivate var json: JSONValue {
        [
            "path": .string(path), "sound": .bool(isSound), "bytes": .integer(Int64(bytes)),
            "schema": .integer(Int64(schemaVersion)), "accounts": .integer(Int64(accounts)),
            "calls": .integer(Int64(calls)), "missed": .integer(Int64(missedUnseen)),
            "contacts": .integer(Int64(contacts)), "records": .integer(Int64(records)),
            "organization": organisation.map { .string($0) } ?? .null, "inCall": .bool(holdsCall),
            "problems": .array(problems.map { .string($0) }),
        ]
    }
}

/// The place of a vault's key.
enum KeyPlace: String, CaseIterable {
    case file, sealed, passphrase
}

extension VaultCommand {
    private static var initialise: Command {
        Command(
            "init", "Create the vault, and a key if it has no key yet.",
            discussion: """
                As root, it gives the new files to the owner of the vault's folder. A sealed key is never on the disk \
                unencrypted.
                """, example: "runuser -u offhook -- offhook vault init --key file", ConfigurationOption.input,
            keyChoice, SealingOptions.input
        ) { phone, choice, sealing in
            let settings = try phone.load()
            let making = VaultMaking(settings: settings, sealing: sealing)
            if let known = try existingKey(settings) {
                try making.make(by: known)
            } else {
                _ = try making.make(try choice.place ?? ask()) {
                    try choice.secret.readTwice(asking: SecretInput.newPassphrase, least: 12)
                }
            }
        }
    }

    private static var keyChoice: Input<(place: KeyPlace?, secret: SecretInput)> {
        .all(
            Parameter.option(
                "key",
                "Place of the key: file, sealed (to this machine, by systemd) or passphrase. Default: ask at a "
                    + "terminal, otherwise file.", .choice(KeyPlace.self)), SecretInput.input
        ) { place, secret throws(UsageError) in
            guard place == .passphrase || !secret.isNamed else {
                throw UsageError("--password-file and --password-stdin need --key passphrase")
            }
            return (place, secret)
        }
    }

    private static func existingKey(_ settings: Settings) throws(VaultError) -> VaultKey? {
        do {
            return try settings.vaultKey()
        } catch .keyNotFound {
            return nil
        }
    }

    /// Asks only at a terminal. An unattended run gets a key file, and a warning about its weak protection.
    private static func ask() throws -> KeyPlace {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return .file }
        print(
            """
            Where shall the vault's key be?
            file        beside the vault: anyone who copies both can read everything
            sealed      bound to this machine by systemd\
            \(SystemdCredentials.hasTPM ? " and its TPM: a stolen card cannot be read"
                : ", which has no TPM: its host key is on the same disk")
            passphrase  typed after each start of the machine: a stolen machine cannot be read
            """)
        print("[file] ", terminator: "")
        try StandardOutput.flush()
        let answer = (readLine() ?? "").filter { !$0.isWhitespace }
        guard let place = answer.isEmpty ? .file : KeyPlace(rawValue: answer) else {
            throw CommandError("\"\(answer)\" is not one of file, sealed, passphrase")
        }
        return place
    }

    private static var seal: Command {
        Command(
            "seal", "Move the key from its file into a systemd credential that only this machine can open.",
            discussion: """
                Removes the key file only after the sealed key was read back from the disk and has opened the vault. \
                A disk may keep removed data: `offhook vault init --key sealed` makes a key that was never in a file.
                """, example: "offhook vault seal\nsystemctl restart offhook", ConfigurationOption.input,
            SealingOptions.input
        ) { phone, sealing in
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
    }

    private static func owner(of file: String) -> uid_t? {
        var status = stat()
        return unsafe stat(file, &status) == 0 ? status.st_uid : nil
    }
}

/// Options for a sealed key: its file and its binding.
struct SealingOptions {
    static let usualCredential = "/etc/offhook/vault-key.cred"
    static let usualDropIn = "/etc/systemd/system/offhook.service.d/vault-key.conf"

    let binding: SystemdCredentials.Binding
    let credential: String
    /// Empty: none is written.
    let dropIn: String

    static var input: Input<SealingOptions> {
        .all(
            Parameter.option(
                "with-key", "Binding of a sealed key: auto, host, tpm2 or host+tpm2.",
                .choice(SystemdCredentials.Binding.self)
            ).usual(.auto),
            Parameter.option("credential", "File for the sealed key.", .file()).usual(usualCredential),
            Parameter.option(
                "drop-in", "systemd drop-in to write, which loads the key for the service; empty: do not write one.",
                .file()
            ).usual(usualDropIn)
        ) { binding, credential, dropIn throws(UsageError) in
            // systemd accepts only absolute paths.
            guard credential.hasPrefix("/"), dropIn.isEmpty || dropIn.hasPrefix("/") else {
                throw UsageError("--credential and --drop-in must be absolute paths")
            }
            return SealingOptions(binding: binding, credential: credential, dropIn: dropIn)
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

/// Detects folders in memory, whose files are lost when the power goes.
enum MemoryFolder {
    static func contains(_ file: String) -> Bool {
        unsafe cprocess_is_memory(file.openedFolder) != 0
    }
}
