import Base
import Commands
import Control
import Glibc
import PhoneCore
import Vault

/// What a person says of an account on a command line: the same for the vault and for a running phone. Its secrets are
/// never arguments, because every user can read those.
struct AccountOptions {
    /// All fields except the label and the secrets.
    let fields: AccountDraft
    let needsNoPassword: Bool
    let secret: SecretInput
    let token: LoginTokenInput
    let turnPasswordFile: String?

    static var input: Input<AccountOptions> {
        .all(
            identity, way, ice, Parameter.flag("no-password", "The server asks for no password."), SecretInput.input,
            LoginTokenInput.input,
            Parameter.option("turn-password-file", "Read the password for the TURN servers from this file.", .file())
        ) { identity, way, ice, needsNoPassword, secret, token, turnPasswordFile throws(UsageError) in
            if needsNoPassword, secret.isNamed { throw UsageError("give --no-password or a password, not both") }
            if token.isNamed, secret.isNamed || needsNoPassword {
                throw UsageError("a token replaces the password; give one or the other")
            }
            var fields = AccountDraft()
            for set in [identity, way, ice] { set(&fields) }
            return AccountOptions(
                fields: fields, needsNoPassword: needsNoPassword, secret: secret, token: token,
                turnPasswordFile: turnPasswordFile)
        }
    }

    /// The draft that these options make. A stand-in is in the place of each secret, so that all other mistakes are
    /// found before anybody types one.
    /// - Parameter asks: Whether a person will be asked for the password.
    func draft(_ label: String?, asks: Bool) -> AccountDraft {
        let standIn = Redacted("stand-in")
        var draft = fields
        draft.label = label
        if token.isNamed {
            draft.token = standIn
        } else if needsNoPassword {
            draft.password = Redacted("")
        } else if asks || secret.isNamed {
            draft.password = standIn
        }
        if turnPasswordFile != nil || draft.turn?.isEmpty == false { draft.turnPassword = standIn }
        return draft
    }

    /// The whole draft. Reads or asks for its secrets.
    func wholeDraft(_ label: String?, asks: Bool) throws -> AccountDraft {
        var draft = draft(label, asks: asks)
        if let token = try token.read() {
            draft.token = token
        } else if let password = draft.password, !password.isEmpty {
            draft.password = try secret.read()
        }
        if draft.turnPassword != nil {
            draft.turnPassword = try SecretInput(passwordFile: turnPasswordFile).read(
                asking: "Password for the TURN servers: ")
        }
        return draft
    }
}

/// The fields of an account that are options.
extension AccountOptions {
    private typealias Fields = (inout AccountDraft) -> Void

    private static var identity: Input<Fields> {
        .all(
            Parameter.option(
                "kind",
                "Protocol of the server: sip, verto (FreeSWITCH's mod_verto), or telnyx (Telnyx's Verto, with its "
                    + "usual servers). Default: sip.", .choice(AccountServer.Kind.self)),
            Parameter.option("user", "User part of the address; not needed with a token."),
            Parameter.option("auth-user", "Name for authentication, if it is not the user."),
            Parameter.option("display-name", "Name shown to the far end."),
            Parameter.option("domain", "Domain of the address, if it is not the server.")
        ) { kind, user, authUser, displayName, domain in
            { draft in
                draft.kind = kind?.rawValue
                (draft.user, draft.authUser, draft.displayName, draft.domain) = (user, authUser, displayName, domain)
            }
        }
    }

    private static var way: Input<Fields> {
        .all(
            Parameter.option(
                "server",
                "The server: a name or an address, with :PORT if it is not the default (5060, over TLS 5061, over a "
                    + "WebSocket 80 or 443). A WebSocket server may have a /PATH after that. Not needed for telnyx."),
            Parameter.option(
                "transport",
                "udp, tcp, tls, ws (WebSocket, not encrypted), wss (WebSocket over TLS), or auto: the choice of "
                    + "the server's domain. Default: udp; for Verto and Telnyx wss.", .choice(Account.Transport.self)),
            Parameter.option(
                "protection",
                "Encryption of voice: mandatory, dtls (no server gets the keys), offered or off. Default: "
                    + "mandatory; for Verto and Telnyx dtls.", .choice(Account.Protection.self)),
            Parameter.switching("register", "Register with the server. Default: yes."),
            Parameter.switching(
                "allow-clear-password",
                "Let Verto over ws send the password unencrypted: everybody on the path can read it. Without this "
                    + "flag the phone does so only to servers on this machine.")
        ) { server, transport, protection, registers, allowsClearPassword in
            { draft in
                (draft.server, draft.transport) = (server, transport?.rawValue)
                (draft.protection, draft.registers) = (protection?.rawValue, registers)
                draft.allowClearPassword = allowsClearPassword
            }
        }
    }

    private static var ice: Input<Fields> {
        .all(
            Parameter.option(
                "ice",
                "How calls find a path (ICE): off, answered (if the far end offers it), always, or relayed (always, "
                    + "and only through TURN servers). Default: answered; for Verto and Telnyx always.",
                .choice(Account.ICE.Policy.self)),
            Parameter.options(
                "stun", "STUN server, which tells this phone its public address.", valueName: "host[:port]"),
            Parameter.options(
                "turn", "TURN server, which also relays. Prefix turns: for TLS; suffix ?transport=tcp for TCP.",
                valueName: "user@host[:port]")
        ) { policy, stun, turn throws(UsageError) in
            let stunList = stun.isEmpty ? nil : stun.joined(separator: " ")
            let turnList = turn.isEmpty ? nil : turn.joined(separator: " ")
            do throws(AccountRefusal) {
                _ = try ICEServerText.stun(stunList ?? "")
                _ = try ICEServerText.turn(turnList ?? "")
            } catch {
                throw UsageError(error.atCommandLine)
            }
            return { draft in (draft.ice, draft.stun, draft.turn) = (policy?.rawValue, stunList, turnList) }
        }
    }
}

/// A new account on a command line.
struct AccountAddition {
    let label: String
    let options: AccountOptions

    static var input: Input<AccountAddition> {
        .all(Parameter.argument("label", "Label of the account."), AccountOptions.input) {
            label, options throws(UsageError) in
            let addition = AccountAddition(label: label, options: options)
            do throws(AccountRefusal) {
                try addition.check()
            } catch {
                // That is a question of safety, and no mistake in the command line.
                guard error.field == .allowClearPassword else { throw UsageError(error.atCommandLine) }
            }
            return addition
        }
    }

    /// Checks everything except secrets.
    /// - Parameter labels: The labels of the other accounts.
    func check(beside labels: [String] = []) throws(AccountRefusal) {
        _ = try options.draft(label, asks: true).account(beside: labels)
    }

    /// The whole draft. Reads or asks for its secrets.
    func draft() throws -> AccountDraft { try options.wholeDraft(label, asks: true) }
}

/// A change of an account on a command line. What is not named stays.
struct AccountChange {
    let label: String
    private let newLabel: String?
    private let asksPassword: Bool
    private let options: AccountOptions

    static var input: Input<AccountChange> {
        .all(
            Parameter.argument("label", "Label of the account.", RunningPhone.account),
            Parameter.option("new-label", "New label of the account."),
            Parameter.flag("ask-password", "Ask for a new password."), AccountOptions.input
        ) { label, newLabel, asksPassword, options throws(UsageError) in
            if asksPassword, options.secret.isNamed || options.needsNoPassword || options.token.isNamed {
                throw UsageError("--ask-password excludes the other sources of a password or a token")
            }
            return AccountChange(label: label, newLabel: newLabel, asksPassword: asksPassword, options: options)
        }
    }

    /// Checks the change of an account, except its secrets.
    func check(_ present: Account, beside labels: [String]) throws(AccountRefusal) {
        _ = try options.draft(newLabel, asks: asksPassword).account(changing: present, beside: labels)
    }

    /// The whole draft. Reads or asks for its secrets.
    func draft() throws -> AccountDraft { try options.wholeDraft(newLabel, asks: asksPassword) }
}

extension AccountRefusal {
    /// The reason, with the name of the option.
    var atCommandLine: String {
        switch field {
        case .label: "<label>: \(why)"
        case .registers: "--register: \(why)"
        case .password, .token, .turnPassword: "--\(kebab)-file: \(why)"
        default: "--\(kebab): \(why)"
        }
    }

    private var kebab: String { field.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined() }
}

/// Where a login token comes from: a file or standard input. Never an argument, because every user can read those. It
/// is too long to be typed.
struct LoginTokenInput {
    let file: String?
    let isPiped: Bool

    static var input: Input<LoginTokenInput> {
        .all(
            Parameter.option(
                "token-file", "Log in with the token in this file instead of user and password. For --kind telnyx.",
                .file()),
            Parameter.flag("token-stdin", "Log in with a token from standard input. For --kind telnyx.")
        ) { file, isPiped throws(UsageError) in
            if file != nil, isPiped { throw UsageError("give --token-file or --token-stdin, not both") }
            return LoginTokenInput(file: file, isPiped: isPiped)
        }
    }

    /// Whether a source was named.
    var isNamed: Bool { file != nil || isPiped }

    /// Reads the first line of the source; nil when none was named.
    func read() throws -> Redacted<String>? {
        let token: Redacted<String>
        if let file {
            token = try SecretInput.firstLine(ofFile: file, of: "a token", upTo: Account.tokenLimit)
        } else if isPiped {
            token = try SecretInput.firstLine(
                of: STDIN_FILENO, named: "standard input", of: "a token", upTo: Account.tokenLimit)
        } else {
            return nil
        }
        // The account's check does not name the source.
        guard Account.isToken(token) else {
            throw CommandError("\(file ?? "standard input"): \(Account.tokenRule)")
        }
        return token
    }
}
