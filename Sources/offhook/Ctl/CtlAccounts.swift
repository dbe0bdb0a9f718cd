import Base
import Commands
import Control
import Glibc
import JSON
import PhoneCore
import Platform

/// Commands for the accounts of a running phone.
extension CtlCommand {
    static var accounts: Command {
        .group(
            "account", "List, add, change and remove the accounts of the running phone.",
            discussion: "A change is in the vault and in use at once; other accounts and their calls go on.",
            usual: "list", [listAccounts, addAccount, changeAccount, removeAccount])
    }

    private static var listAccounts: Command {
        Command("list", "Show the accounts and their states, without their secrets.", AskedPhone.input) { phone in
            phone.show(try phone.connect().call("getSetup")["accounts"] ?? .array([]), AccountText.lines)
        }
    }

    private static var addAccount: Command {
        Command(
            "add", "Add an account. Its password is read from a prompt, a file or standard input.",
            example: """
                offhook ctl account add office --user 101 --server pbx.example.org --transport tls
                offhook ctl account add desk --kind telnyx --token-file token
                """, AskedPhone.input, AccountAddition.input
        ) { phone, account in
            try AccountCommand.told(account.label) { () throws(AccountRefusal) in try account.check() }
            // Connect first, so that nobody types a password in vain.
            let client = try phone.connect()
            phone.show(try client.call("addAccount", account.draft().params)) { _ in ["\(account.label): added"] }
        }
    }

    private static var changeAccount: Command {
        Command(
            "change", "Change an account; omitted options stay unchanged.",
            discussion: """
                An empty text removes a value: --display-name "". Another server, or a less protected way to it, \
                needs the password again. Not during a call of the account.
                """, example: "offhook ctl account change office --display-name 'Front desk'", AskedPhone.input,
            AccountChange.input
        ) { phone, change in
            let client = try phone.connect()
            var params = try change.draft().params
            params["account"] = .string(change.label)
            phone.show(try client.call("changeAccount", params)) { answer in
                ["\((answer["label"]?.string ?? change.label).withoutCommands): changed"]
            }
        }
    }

    private static var removeAccount: Command {
        Command(
            "remove", "Remove an account and its secret.",
            discussion: "Not during a call of the account, and not while the configuration names it.",
            AskedPhone.input, Parameter.argument("label", "Label of the account.", RunningPhone.account)
        ) { phone, label in
            phone.show(try phone.connect().call("removeAccount", ["account": .string(label)])) { _ in
                ["\(label): removed"]
            }
        }
    }

    static var tokens: Command {
        .group(
            "token", "Manage the tokens that allow programs to use the phone over HTTP (control.http).", usual: "list",
            [
                addToken,
                row("list", .getTokens, "Show the labels and scopes of all tokens.") { answer in
                    TokenText.lines(answer) { CalendarTime.text(unixMilliseconds: $0) }
                },
                row(
                    "remove", .removeToken, "Revoke a token; its connections are closed at once.",
                    [.argument("label", "Label of the token.")]),
            ])
    }

    private static var addToken: Command {
        Command(
            "add", "Create a token and print it.",
            discussion: "The phone stores only the token's digest, so it cannot show the token again.",
            example: "offhook ctl token add kitchen --scope call", AskedPhone.input,
            Parameter.argument("label", "Label of the token's user; each token has a different label."),
            Parameter.option(
                "scope", "observe: see everything; call: also use the phone; configure: also change it.",
                .choice(AccessScope.self)
            ).usual(.observe)
        ) { phone, label, scope in
            let answer = try phone.connect().call(
                "addToken", ["label": .string(label), "scope": .string(scope.rawValue)])
            phone.show(answer) { [$0["token"]?.string ?? ""] }
        }
    }
}

/// Commands for the backend: the sign-in and the organisations.
extension CtlCommand {
    static var signIn: Command {
        Command(
            "sign-in", "Sign the phone in at its backend.",
            discussion: """
                Prints a code and an address, and waits until somebody has entered the code there, on any device. At a \
                terminal it also prints the address as a QR code, if the phone has libqrencode. The phone goes on \
                waiting if you interrupt this command; --cancel ends the sign-in.
                """, AskedPhone.input, Parameter.flag("cancel", "Give up the sign-in that waits.")
        ) { phone, cancels in
            let client = try phone.connect()
            guard !cancels else { return try phone.ask(.cancelSignIn) }
            let end = try client.signIn(
                show: { code in
                    phone.show(code) { SignInText.lines($0) + picture($0["qr"]) }
                    try StandardOutput.flush()
                }, wait: { TextOutput(descriptor: STDERR_FILENO).write("\($0.withoutCommands)\n") })
            switch end {
            case .signedIn(let user):
                if !phone.json { print("signed in as \(user.withoutCommands)") }
            case .failed(let why): throw CommandError("the sign-in failed: \(why.withoutCommands)")
            }
        }
    }

    private static func picture(_ rows: JSONValue?) -> [String] {
        guard Terminal.showsPictures else { return [] }
        return QRText.lines(rows, width: Terminal.size.width, coloured: Terminal.hasColour)
    }

    static var signOut: Command {
        Command(
            "sign-out", "Sign the phone out at its backend, and forget its credentials.",
            discussion: """
                The account that the sign-in added is removed. Contacts and history stay. Not during a call.
                """, AskedPhone.input
        ) { phone in try phone.connect().signOut() }
    }

    static var organization: Command {
        .group(
            "organization", "List the user's organizations, or switch to another one.", usual: "list",
            [
                Command("list", "Ask the backend for the user's organizations, and show them.", AskedPhone.input) {
                    $0.show(try $0.connect().organizations(), OrganizationText.lines)
                },
                row(
                    "switch", .switchOrganization, "Switch the phone to another organization. Not during a call.",
                    discussion: "If the switch fails, the phone stays with the former organization.",
                    [
                        .argument(
                            "organization", "Identifier of the organization, as in `offhook ctl organization list`.")
                    ]
                ),
            ])
    }
}
