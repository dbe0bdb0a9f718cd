import Base
import Commands
import Control
import JSON
import PhoneCore
import Vault

enum AccountCommand {
    static var command: Command {
        .group(
            "account", "Add, change, list and remove accounts, the phone's identities at servers.",
            [add, change, list, trust, forgetTrust, remove])
    }

    private static var add: Command {
        Command(
            "add", "Add an account. Its password is read from a prompt, a file or standard input.",
            discussion: """
                Telnyx also issues login tokens, each valid for a day: --token-file or --token-stdin. A running phone \
                holds its vault: `offhook ctl account add` adds the account there.
                """,
            example: """
                offhook account add office --user 101 --server pbx.example.org --transport tls
                offhook account add desk --kind telnyx --token-file token
                """, ConfigurationOption.input, AccountAddition.input
        ) { phone, account in
            var vault = try vault(of: phone, orElse: "add")
            let labels = try vault.accounts().map(\.account.label)
            try told(account.label) { () throws(AccountRefusal) in try account.check(beside: labels) }
            // Ask for the password last, so that nobody types it in vain.
            let draft = try account.draft()
            let added = try told(account.label) { () throws(AccountRefusal) in try draft.account(beside: labels) }
            _ = try vault.addAccount(added)
            print("\(added.label): added\(added.clearWarning)")
        }
    }

    private static var change: Command {
        Command(
            "change", "Change an account; omitted options stay unchanged.",
            discussion: """
                An empty text removes a value: --display-name "". Another server, or a less protected way to it, needs \
                the password again. A running phone holds its vault: `offhook ctl account change` changes the account \
                there.
                """, example: "offhook account change office --new-label hall --ask-password",
            ConfigurationOption.input, AccountChange.input
        ) { phone, change in
            var vault = try vault(of: phone, orElse: "change")
            let stored = try account(change.label, in: vault)
            let labels = try vault.accounts().filter { $0.id != stored.id }.map(\.account.label)
            try told(change.label) { () throws(AccountRefusal) in try change.check(stored.account, beside: labels) }
            let draft = try change.draft()
            let changed = try told(change.label) { () throws(AccountRefusal) in
                try draft.account(changing: stored.account, beside: labels)
            }
            try vault.changeAccount(stored.id, to: changed)
            print("\(changed.label): changed\(changed.clearWarning)")
        }
    }

    private static var list: Command {
        Command(
            "list", "List the accounts without their secrets.",
            discussion: """
                With --json, a list of objects: label, kind, user, server, port, path, transport, registers, \
                encryption, ice, credential (password, token or null) and passwordInClear.
                """, ConfigurationOption.input, Parameter.flag("json", "Print JSON.")
        ) { phone, isJSON in
            let accounts = try phone.load().openVault(access: .readOnly).accounts().map(\.account)
            if isJSON { return print(JSONValue.array(accounts.map(\.json)).text) }
            for account in accounts { print(line(account)) }
        }
    }

    static func line(_ account: Account) -> String {
        let port = (account.port.map { ":\($0)" } ?? "") + (account.path == "/" ? "" : account.path)
        let manner = account.registers ? "registers" : "does not register"
        let user =
            account.token == nil ? account.user : account.user.isEmpty ? "a token" : account.user + " with a token"
        return "\(account.label)  \(user) at \(account.host.inBrackets)\(port) over \(account.transport.rawValue), "
            + "\(manner), encryption \(account.protection.rawValue), ICE \(account.ice.policy.rawValue)"
            + (account.sendsPasswordInClear ? ", password sent unencrypted" : "")
    }

    private static var remove: Command {
        Command(
            "remove", "Remove an account and its secret.",
            discussion: "A running phone holds its vault: `offhook ctl account remove` removes the account there.",
            ConfigurationOption.input, Parameter.argument("label", "Label of the account.")
        ) { phone, label in
            var vault = try vault(of: phone, orElse: "remove")
            _ = try vault.removeAccount(account(label, in: vault).id)
            print("\(label): removed")
        }
    }
}

extension AccountCommand {
    static func account(_ label: String, in vault: borrowing VaultFile) throws -> StoredAccount {
        guard let stored = try vault.accounts().first(where: { $0.account.label == label }) else {
            throw CommandError("there is no account \"\(label)\"; `offhook account list` shows all")
        }
        return stored
    }

    /// Opens the vault for a change.
    /// - Parameter command: What a person may do at a running phone instead.
    static func vault(of phone: ConfigurationOption, orElse command: String) throws -> VaultFile {
        let settings = try phone.load()
        do throws(VaultError) {
            return try settings.openVault(access: .exclusive)
        } catch {
            guard case .locked(let path) = error else { throw error }
            throw CommandError(
                "\(path) is in use by a running phone: run `offhook ctl account \(command)` instead, or stop the phone "
                    + "first")
        }
    }

    /// Turns a refusal into one for the command line.
    static func told<Value>(_ label: String, _ body: () throws(AccountRefusal) -> Value) throws(CommandError) -> Value {
        do {
            return try body()
        } catch {
            throw CommandError(error.field == .allowClearPassword ? clearPassword(label) : error.atCommandLine)
        }
    }

    /// Why the phone does not send an account's password, and what to do.
    static func clearPassword(_ label: String) -> String {
        "\(label): Verto over ws sends the password unencrypted, and everybody on the path can read it. Use "
            + "--transport wss; or, on a network that only you use, --allow-clear-password"
    }

    /// Whether a terminal shows the text unchanged and a person can type it again.
    static func isPrintable(_ text: String) -> Bool {
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace else {
            return false
        }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}

extension Account {
    /// The account without its secrets.
    fileprivate var json: JSONValue {
        [
            "label": .string(label), "kind": .string(kind.rawValue), "user": .string(user), "server": .string(host),
            "port": port.map { .integer(Int64($0)) } ?? .null, "path": .string(path),
            "transport": .string(transport.rawValue), "registers": .bool(registers),
            "encryption": .string(protection.rawValue), "ice": .string(ice.policy.rawValue),
            "credential": token != nil ? "token" : password != nil ? "password" : nil,
            "passwordInClear": .bool(sendsPasswordInClear),
        ]
    }

    /// What the phone requires of the account's server.
    fileprivate var trustJSON: JSONValue {
        [
            "label": .string(label), "requires": .string(trust.words),
            "realm": trust.realm.map { .string($0) } ?? .null,
            "hash": (trust.proof?.hash.rawValue).map { .string($0) } ?? .null, "tls": .bool(trust.isOverTLS),
        ]
    }

    fileprivate var clearWarning: String { sendsPasswordInClear ? "; its password is sent unencrypted" : "" }
}

/// The security that the phone requires of servers.
extension AccountCommand {
    private static var trust: Command {
        Command(
            "trust", "List the security that the phone now requires of each account's server.",
            discussion: "With --json, a list of objects: label, requires (a sentence), realm, hash and tls.",
            ConfigurationOption.input, Parameter.flag("json", "Print JSON.")
        ) { phone, isJSON in
            let accounts = try phone.load().openVault(access: .readOnly).accounts().map(\.account)
            if isJSON { return print(JSONValue.array(accounts.map(\.trustJSON)).text) }
            for account in accounts { print("\(account.label)  \(account.trust.words)") }
        }
    }

    private static var forgetTrust: Command {
        Command(
            "forget-trust", "Forget the security that the phone requires of an account's server.",
            discussion: """
                Use this when the operator has changed the server: it now asks for a weaker proof of the password, or \
                has given up TLS. The phone accepts the server's next request and from then on nothing weaker. An \
                attacker on the path could answer instead of the server, so start the phone on a network that you \
                trust.
                """,
            example: """
                systemctl stop offhook
                runuser -u offhook -- offhook account forget-trust office
                systemctl start offhook
                """, ConfigurationOption.input, Parameter.argument("label", "Label of the account.")
        ) { phone, label in
            var vault = try phone.load().openVault(access: .exclusive)
            let isForgotten = try vault.forgetTrust(of: account(label, in: vault).id)
            let state = isForgotten ? "forgotten; the phone accepts the server's next request" : "nothing to forget"
            print("\(label): \(state)")
        }
    }

    /// The advice in the log after a line refused a weaker server.
    static func forgetTrustAdvice(_ label: String) -> String {
        "If the operator changed the server, run `offhook account forget-trust \(quoted(label))`"
    }

    /// The text, quoted for a shell where necessary.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        return isPlain ? text : "'" + text.parts(between: "'").joined(separator: "'\\''") + "'"
    }
}
