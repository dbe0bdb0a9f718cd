import ArgumentParser
import Base
import Control
import Glibc
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

/// Commands for the backend: the sign-in and the organisations.
extension CtlCommand {
    struct SignIn: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in", abstract: "Sign the phone in at its backend.",
            discussion: """
                Prints a code and an address, and waits until somebody has entered the code there, on any device. At a \
                terminal it also prints the address as a QR code, if the phone has libqrencode. The phone goes on \
                waiting if you interrupt this command; --cancel ends the sign-in.
                """)
        @OptionGroup var phone: AskedPhone
        @Flag(help: "Give up the sign-in that waits.") var cancel = false

        func run() throws {
            let client = try phone.connect()
            guard !cancel else { return try phone.ask("cancelSignIn") }
            let end = try client.signIn(
                show: { code in
                    phone.show(code) { SignInText.lines($0) + Self.picture($0["qr"]) }
                    try StandardOutput.flush()
                }, wait: { TextOutput(descriptor: STDERR_FILENO).write("\($0.withoutCommands)\n") })
            switch end {
            case .signedIn(let user):
                if !phone.json { print("signed in as \(user.withoutCommands)") }
            case .failed(let why): throw CommandError("the sign-in failed: \(why.withoutCommands)")
            }
        }

        private static func picture(_ rows: JSONValue?) -> [String] {
            guard Terminal.showsPictures else { return [] }
            return QRText.lines(rows, width: Terminal.size.width, coloured: Terminal.hasColour)
        }
    }

    struct SignOut: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "Sign the phone out at its backend, and forget its credentials.",
            discussion: """
                The account that the sign-in added is removed. Contacts and history stay. Not during a call.
                """)
        @OptionGroup var phone: AskedPhone
        func run() throws { try phone.connect().signOut() }
    }

    struct Organization: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "organization", abstract: "List the user's organizations, or switch to another one.",
            subcommands: [List.self, Switch.self], defaultSubcommand: List.self)

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list", abstract: "Ask the backend for the user's organizations, and show them.")
            @OptionGroup var phone: AskedPhone
            func run() throws { phone.show(try phone.connect().organizations(), OrganizationText.lines) }
        }

        struct Switch: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "switch", abstract: "Switch the phone to another organization. Not during a call.",
                discussion: "If the switch fails, the phone stays with the former organization.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "Identifier of the organization, as in `offhook ctl organization list`.")
            var organization: String
            func run() throws { try phone.ask("switchOrganization", ["organization": .string(organization)]) }
        }
    }
}
