import ArgumentParser
import Base
import Control
import JSON

/// Commands for the accounts of a running phone.
extension CtlCommand {
    struct Accounts: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "account", abstract: "List, add, change and remove the accounts of the running phone.",
            discussion: "A change is in the vault and in use at once; other accounts and their calls go on.",
            subcommands: [List.self, Add.self, Change.self, Remove.self], defaultSubcommand: List.self)

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list", abstract: "Show the accounts and their states, without their secrets.")
            @OptionGroup var phone: AskedPhone
            func run() throws {
                phone.show(try phone.connect().call("getSetup")["accounts"] ?? .array([]), AccountText.lines)
            }
        }

        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add",
                abstract: "Add an account. Its password is read from a prompt, a file or standard input.")
            @OptionGroup var phone: AskedPhone
            @OptionGroup var account: AccountAddition
            func run() throws {
                try AccountCommand.told(account.label) { () throws(AccountRefusal) in try account.check() }
                // Connect first, so that nobody types a password in vain.
                let client = try phone.connect()
                phone.show(try client.call("addAccount", account.draft().params)) { _ in ["\(account.label): added"] }
            }
        }

        struct Change: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "change", abstract: "Change an account; omitted options stay unchanged.",
                discussion: """
                    An empty text removes a value: --display-name "". Another server, or a less protected way to it, \
                    needs the password again. Not during a call of the account.
                    """)
            @OptionGroup var phone: AskedPhone
            @OptionGroup var change: AccountChange
            func run() throws {
                let client = try phone.connect()
                var params = try change.draft().params
                params["account"] = .string(change.label)
                phone.show(try client.call("changeAccount", params)) { answer in
                    ["\((answer["label"]?.string ?? change.label).withoutCommands): changed"]
                }
            }
        }

        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove", abstract: "Remove an account and its secret.",
                discussion: "Not during a call of the account, and not while the configuration names it.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "Label of the account.", completion: RunningPhone.accounts) var label: String
            func run() throws {
                phone.show(try phone.connect().call("removeAccount", ["account": .string(label)])) { _ in
                    ["\(label): removed"]
                }
            }
        }
    }
}
