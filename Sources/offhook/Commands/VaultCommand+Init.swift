import ArgumentParser
import Base
import Glibc
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
    }
}
