import ArgumentParser
import PhoneCore
import Vault

extension AccountCommand {
    struct Trust: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trust",
            abstract: "List the security that the phone now requires of each account's server.")

        @OptionGroup var phone: ConfigurationOption

        func run() throws {
            for stored in try phone.load().openVault(access: .readOnly).accounts() {
                print("\(stored.account.label)  \(stored.account.trust.words)")
            }
        }
    }

    struct ForgetTrust: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget-trust",
            abstract: "Forget the security that the phone requires of an account's server.",
            discussion: """
                Use this when the operator has changed the server: it now asks for a weaker proof of the password, or \
                has given up TLS. The phone accepts the server's next request and from then on nothing weaker. An \
                attacker on the path could answer instead of the server, so start the phone on a network that you \
                trust.
                """)

        @OptionGroup var phone: ConfigurationOption
        @Argument(help: "Label of the account.") var label: String

        func run() throws {
            var vault = try phone.load().openVault(access: .exclusive)
            let stored = try AccountCommand.account(label, in: vault)
            let isForgotten = try vault.forgetTrust(of: stored.id)
            let state = isForgotten ? "forgotten; the phone accepts the server's next request" : "nothing to forget"
            print("\(label): \(state)")
        }
    }
}

extension AccountCommand.ForgetTrust {
    /// The advice in the log after a line refused a weaker server.
    static func advice(_ label: String) -> String {
        "If the operator changed the server, run `offhook account forget-trust \(quoted(label))`"
    }

    /// The text, quoted for a shell where necessary.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
