import ArgumentParser
import Vault

struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Make and verify the encrypted file that holds accounts and history.",
        subcommands: [Initialise.self, Check.self])

    struct Initialise: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Make the vault, and its key file when there is no key yet.")

        @OptionGroup var phone: ConfigurationOption

        func run() throws {
            let settings = try phone.load()
            let key = try existingKey(settings) ?? VaultKey.create(at: settings.keyFile)
            _ = try VaultFile.create(at: settings.vaultFile, key: key)
            print("\(settings.vaultFile): made")
        }

        private func existingKey(_ settings: Settings) throws(VaultError) -> VaultKey? {
            do {
                return try settings.vaultKey()
            } catch .keyNotFound {
                return nil
            }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verify every byte of the vault and everything in it. May run beside the phone.")

        @OptionGroup var phone: ConfigurationOption

        func run() throws {
            let settings = try phone.load()
            let report = try VaultFile.check(settings.vaultFile, key: settings.vaultKey())
            print(report)
            if !report.isSound { throw ExitCode.failure }
        }
    }
}
