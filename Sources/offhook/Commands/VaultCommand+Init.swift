import ArgumentParser
import Base
import Glibc
import Platform
import Vault

/// Where a vault's key is kept.
enum KeyPlace: String, CaseIterable, ExpressibleByArgument {
    case file, sealed, passphrase
}

extension VaultCommand {
    struct Initialise: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Make the vault, and its key when there is no key yet.",
            discussion: """
                As root, what it makes belongs to whoever the vault's folder belongs to. A key that is sealed is never on the disk in clear.
                """)

        @OptionGroup var phone: ConfigurationOption
        @Option(
            help: "Where the key is: file, sealed (to this machine, by systemd), passphrase. Asked for at a terminal.")
        var key: KeyPlace?
        @OptionGroup var secret: SecretInput
        @OptionGroup var sealing: SealingOptions

        func validate() throws {
            guard key == .passphrase || !secret.isNamed else {
                throw ValidationError("--password-file and --password-stdin need --key passphrase")
            }
        }

        func run() throws {
            let settings = try phone.load()
            if let known = try existingKey(settings) {
                try make(settings, known)
                return
            }
            switch try key ?? Self.ask() {
            case .file:
                try make(settings, VaultKey.create(at: settings.keyFile), belonging: [settings.keyFile])
                print(Self.warning(settings))
            case .passphrase:
                let passphrase = try secret.readTwice(asking: "Passphrase, at least 12 letters: ", least: 12)
                let key = VaultKey()
                try key.lock(by: passphrase, at: settings.keyFile)
                try make(settings, key, belonging: [settings.keyFile])
                print("\(settings.keyFile): the key, locked. After each start of the machine: offhook vault unlock")
            case .sealed:
                let key = VaultKey()
                try sealing.seal(key)
                try make(settings, key)
                sealing.tell()
            }
        }

        private func make(_ settings: Settings, _ key: VaultKey, belonging others: [String] = []) throws {
            _ = try VaultFile.create(at: settings.vaultFile, key: key)
            try Self.giveToOwner([settings.vaultFile, settings.vaultFile + ".lock"] + others)
            print("\(settings.vaultFile): made")
        }

        private func existingKey(_ settings: Settings) throws(VaultError) -> VaultKey? {
            do {
                return try settings.vaultKey()
            } catch .keyNotFound {
                return nil
            }
        }

        private static func warning(_ settings: Settings) -> String {
            """
            \(settings.keyFile): the key, in clear. It protects the vault from nobody who can copy both files: who takes the \
            card has passwords and recordings. `offhook vault seal` binds the key to this machine (with a TPM it is then worth \
            nothing elsewhere); `offhook vault init --key passphrase` locks a new vault's key by a passphrase that somebody types.
            """
        }

        /// Asks at a terminal only. An unattended run gets a key file, and a warning of how little that protects.
        private static func ask() throws -> KeyPlace {
            guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return .file }
            print(
                """
                Where is the vault's key to be?
                  file        beside the vault: protects from nobody who can copy both
                  sealed      bound to this machine by systemd\
                \(SystemdCredentials.hasTPM ? " and its TPM: a stolen card is worth nothing"
                    : ", which has no TPM: its host key is on the same disk")
                  passphrase  typed after each start of the machine: a stolen machine is worth nothing
                """)
            print("[file] ", terminator: "")
            try StandardOutput.flush()
            let answer = (readLine() ?? "").filter { !$0.isWhitespace }
            guard let place = answer.isEmpty ? .file : KeyPlace(rawValue: answer) else {
                throw CommandError("\"\(answer)\" is none of file, sealed, passphrase")
            }
            return place
        }

        /// Gives files that root made in another user's folder to that user.
        private static func giveToOwner(_ files: [String]) throws {
            guard geteuid() == 0 else { return }
            for file in files {
                var status = stat()
                guard unsafe stat(file.openedFolder, &status) == 0,
                    unsafe lchown(file, status.st_uid, status.st_gid) == 0
                else {
                    throw CommandError("\(file): \(SystemError.last)")
                }
            }
        }
    }
}
