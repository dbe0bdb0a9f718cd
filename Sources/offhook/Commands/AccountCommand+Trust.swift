import ArgumentParser
import PhoneCore
import Vault

extension AccountCommand {
    struct Trust: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trust",
            abstract: "List what the phone has learned of each account's server, and holds the server to.")

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
            abstract: "Forget what the phone has learned of an account's server.",
            discussion: """
                For a server whose owner has changed it: one that has gone back to a weaker proof of the password, or \
                that has given up TLS. The phone takes what it is asked for next, and holds the server to that. Whoever \
                stands on the path then may ask in the server's place: start the phone on a network that you trust.
                """)

        @OptionGroup var phone: ConfigurationOption
        @Argument(help: "What you call the account.") var label: String

        func run() throws {
            var vault = try phone.load().openVault(access: .exclusive)
            let stored = try AccountCommand.account(label, in: vault)
            let isForgotten = try vault.forgetTrust(of: stored.id)
            let state = isForgotten ? "forgotten; the phone takes what it is asked for next" : "nothing was known"
            print("\(label): \(state)")
        }
    }
}

extension AccountCommand.ForgetTrust {
    /// What a person may do about what a line refused.
    static func advice(_ label: String) -> String {
        "If the server's owner has changed it so: `offhook account forget-trust \(quoted(label))`"
    }

    /// The text as one word of a shell.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
