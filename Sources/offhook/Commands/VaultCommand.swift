import ArgumentParser
import Base
import Vault

struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Create and verify the encrypted file that holds accounts and history.",
        discussion: """
            The vault is as safe as its key. With a key file beside the vault (the default), anyone who copies both \
            can read it. With a key sealed to the machine's TPM, a stolen disk cannot be read. With a key locked by a \
            passphrase, a stolen machine cannot be read.
            """,
        subcommands: [Initialise.self, Seal.self, Unlock.self, Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Verify every byte of the vault and all its contents. May run beside the phone.")

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
            commandName: "unlock", abstract: "Unlock a key that is locked by a passphrase, until the machine stops.",
            discussion:
                "Writes the key beside the control socket. That folder must be in memory, because a disk would keep "
                + "the key."
        )

        @OptionGroup var phone: ConfigurationOption
        @OptionGroup var secret: SecretInput

        func run() throws {
            let settings = try phone.load()
            guard MemoryFolder.contains(settings.unlockedKeyFile) else {
                throw CommandError(
                    "\(settings.unlockedKeyFile): this folder is on a disk, which would keep the key; it must be in "
                        + "memory, such as in /run"
                )
            }
            let key = try VaultKey.unlock(settings.keyFile, by: secret.read(asking: "Passphrase: "))
            _ = try VaultFile.open(settings.vaultFile, key: key, access: .readOnly)
            try key.write(to: settings.unlockedKeyFile)
            print("\(settings.unlockedKeyFile): the key is unlocked until the machine stops")
        }
    }
}
