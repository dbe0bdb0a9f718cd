import ArgumentParser
import Base
import Vault

struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Make and verify the encrypted file that holds accounts and history.",
        discussion: """
            Where its key is decides what the vault is worth: a key file beside the vault (the default) protects from nobody who \
            can copy both; a key that is sealed to the machine's TPM, from whoever takes the disk; one that a passphrase \
            locks, from whoever takes the machine.
            """,
        subcommands: [Initialise.self, Seal.self, Unlock.self, Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Verify every byte of the vault and everything in it. May run beside the phone.")

        @OptionGroup var phone: ConfigurationOption

        func run() throws {
            let settings = try phone.load()
            let report = try VaultFile.check(settings.vaultFile, key: settings.vaultKey())
            print(report)
            if !report.isSound { throw ExitCode.failure }
        }
    }

    struct Unlock: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unlock", abstract: "Open the key that a passphrase locks, until the machine stops.",
            discussion: "The key is put beside the control socket, which must be in memory: a disk would keep it.")

        @OptionGroup var phone: ConfigurationOption
        @OptionGroup var secret: SecretInput

        func run() throws {
            let settings = try phone.load()
            guard MemoryFolder.contains(settings.unlockedKeyFile) else {
                throw CommandError("\(settings.unlockedKeyFile): its folder is on a disk, which would keep the key")
            }
            let key = try VaultKey.unlock(settings.keyFile, by: secret.read(asking: "Passphrase: "))
            _ = try VaultFile.open(settings.vaultFile, key: key, access: .readOnly)
            try key.write(to: settings.unlockedKeyFile)
            print("\(settings.unlockedKeyFile): the key, until the machine stops")
        }
    }
}
