import ArgumentParser
import Base
import Glibc
import Vault

/// The place of a vault's key.
enum KeyPlace: String, CaseIterable, ExpressibleByArgument {
    case file, sealed, passphrase
}

extension VaultCommand {
    struct Initialise: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Create the vault, and a key if it has no key yet.",
            discussion: """
                As root, it gives the new files to the owner of the vault's folder. A sealed key is never on the disk \
                unencrypted.
                """)

        @OptionGroup var phone: ConfigurationOption
        @Option(
            help: ArgumentHelp(
                "Place of the key: file, sealed (to this machine, by systemd) or passphrase. Default: ask at a "
                    + "terminal, otherwise file."))
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
            let making = VaultMaking(settings: settings, sealing: sealing)
            if let known = try existingKey(settings) {
                try making.make(by: known)
            } else {
                _ = try making.make(try key ?? Self.ask()) {
                    try secret.readTwice(asking: SecretInput.newPassphrase, least: 12)
                }
            }
        }

        private func existingKey(_ settings: Settings) throws(VaultError) -> VaultKey? {
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
    }
}
