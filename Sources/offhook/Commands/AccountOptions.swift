import ArgumentParser
import Base
import Control
import Glibc
import PhoneCore
import Vault

/// What a person says of an account on a command line: the same for the vault and for a running phone. Its secrets are
/// never arguments, because every user can read those.
struct AccountOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Protocol of the server: sip, verto (FreeSWITCH's mod_verto), or telnyx (Telnyx's Verto, with its usual "
                + "servers). Default: sip."))
    var kind: AccountServer.Kind?
    @Option(help: "User part of the address; not needed with a token.") var user: String?
    @Option(
        help: ArgumentHelp(
            "The server: a name or an address, with :PORT if it is not the default (5060, over TLS 5061, over a "
                + "WebSocket 80 or 443). A WebSocket server may have a /PATH after that. Not needed for telnyx."))
    var server: String?
    @Option(help: "Name for authentication, if it is not the user.") var authUser: String?
    @Option(help: "Name shown to the far end.") var displayName: String?
    @Option(help: "Domain of the address, if it is not the server.") var domain: String?
    @Option(
        help: ArgumentHelp(
            "udp, tcp, tls, ws (WebSocket, not encrypted), wss (WebSocket over TLS), or auto: the choice of "
                + "the server's domain. Default: udp; for Verto and Telnyx wss."))
    var transport: Account.Transport?
    @Option(
        help: ArgumentHelp(
            "Encryption of voice: mandatory, dtls (no server gets the keys), offered or off. Default: "
                + "mandatory; for Verto and Telnyx dtls."))
    var protection: Account.Protection?
    @Flag(inversion: .prefixedNo, help: "Register with the server. Default: yes.") var register: Bool?
    @Flag(help: "The server asks for no password.") var noPassword = false
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Let Verto over ws send the password unencrypted: everybody on the path can read it. Without this "
                + "flag the phone does so only to servers on this machine."))
    var allowClearPassword: Bool?
    @OptionGroup var secret: SecretInput
    @OptionGroup var token: LoginTokenInput
    @OptionGroup var ice: ICEServerInput

    func validate() throws {
        if noPassword, secret.isNamed { throw ValidationError("give --no-password or a password, not both") }
        if token.isNamed, secret.isNamed || noPassword {
            throw ValidationError("a token replaces the password; give one or the other")
        }
    }

    /// The draft that these options make. A stand-in is in the place of each secret, so that all other mistakes are
    /// found before anybody types one.
    /// - Parameter asks: Whether a person will be asked for the password.
    func draft(_ label: String?, asks: Bool) -> AccountDraft {
        let standIn = Redacted("stand-in")
        var draft = AccountDraft(label: label)
        draft.kind = kind?.rawValue
        (draft.user, draft.server, draft.authUser) = (user, server, authUser)
        (draft.displayName, draft.domain) = (displayName, domain)
        (draft.transport, draft.protection) = (transport?.rawValue, protection?.rawValue)
        (draft.registers, draft.allowClearPassword) = (register, allowClearPassword)
        (draft.ice, draft.stun, draft.turn) = (ice.ice?.rawValue, ice.stunList, ice.turnList)
        if token.isNamed {
            draft.token = standIn
        } else if noPassword {
            draft.password = Redacted("")
        } else if asks || secret.isNamed {
            draft.password = standIn
        }
        if ice.hasPassword { draft.turnPassword = standIn }
        return draft
    }

    /// Puts the secrets into their places in a draft of these options.
    func readSecrets(into draft: inout AccountDraft) throws {
        if let token = try token.read() {
            draft.token = token
        } else if let password = draft.password, !password.isEmpty {
            draft.password = try secret.read()
        }
        if draft.turnPassword != nil { draft.turnPassword = try ice.readPassword() }
    }
}

/// A new account on a command line.
struct AccountAddition: ParsableArguments {
    @Argument(help: "Label of the account.") var label: String
    @OptionGroup var options: AccountOptions

    func validate() throws {
        do throws(AccountRefusal) {
            try check()
        } catch {
            // That is a question of safety, and no mistake in the command line.
            guard error.field == .allowClearPassword else { throw ValidationError(error.atCommandLine) }
        }
    }

    /// Checks everything except secrets.
    /// - Parameter labels: The labels of the other accounts.
    func check(beside labels: [String] = []) throws(AccountRefusal) {
        _ = try options.draft(label, asks: true).account(beside: labels)
    }

    /// The whole draft. Reads or asks for its secrets.
    func draft() throws -> AccountDraft {
        var draft = options.draft(label, asks: true)
        try options.readSecrets(into: &draft)
        return draft
    }
}

/// A change of an account on a command line. What is not named stays.
struct AccountChange: ParsableArguments {
    @Argument(help: "Label of the account.", completion: RunningPhone.accounts) var label: String
    @Option(help: "New label of the account.") var newLabel: String?
    @Flag(help: "Ask for a new password.") var askPassword = false
    @OptionGroup var options: AccountOptions

    func validate() throws {
        if askPassword, options.secret.isNamed || options.noPassword || options.token.isNamed {
            throw ValidationError("--ask-password excludes the other sources of a password or a token")
        }
    }

    /// Checks the change of an account, except its secrets.
    func check(_ present: Account, beside labels: [String]) throws(AccountRefusal) {
        _ = try options.draft(newLabel, asks: askPassword).account(changing: present, beside: labels)
    }

    /// The whole draft. Reads or asks for its secrets.
    func draft() throws -> AccountDraft {
        var draft = options.draft(newLabel, asks: askPassword)
        try options.readSecrets(into: &draft)
        return draft
    }
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
struct LoginTokenInput: ParsableArguments {
    @Option(
        help: "Log in with the token in this file instead of user and password. For --kind telnyx.")
    var tokenFile: String?

    @Flag(help: "Log in with a token from standard input. For --kind telnyx.")
    var tokenStdin = false

    func validate() throws {
        if tokenFile != nil, tokenStdin { throw ValidationError("give --token-file or --token-stdin, not both") }
    }

    /// Whether a source was named.
    var isNamed: Bool { tokenFile != nil || tokenStdin }

    /// Reads the first line of the source; nil when none was named.
    func read() throws -> Redacted<String>? {
        let token: Redacted<String>
        if let tokenFile {
            token = try SecretInput.firstLine(ofFile: tokenFile, of: "a token", upTo: Account.tokenLimit)
        } else if tokenStdin {
            token = try SecretInput.firstLine(
                of: STDIN_FILENO, named: "standard input", of: "a token", upTo: Account.tokenLimit)
        } else {
            return nil
        }
        // The account's check does not name the source.
        guard Account.isToken(token) else {
            throw CommandError("\(tokenFile ?? "standard input"): \(Account.tokenRule)")
        }
        return token
    }
}

/// Options for ICE and its servers. The password of TURN servers comes from a file or a prompt.
struct ICEServerInput: ParsableArguments {
    @Option(
        help: """
            How calls find a path (ICE): off, answered (if the far end offers it), always, or relayed (always, and \
            only through TURN servers). Default: answered; for Verto and Telnyx always.
            """)
    var ice: Account.ICE.Policy?

    @Option(help: ArgumentHelp("STUN server, which tells this phone its public address.", valueName: "host[:port]"))
    var stun: [String] = []

    @Option(
        help: ArgumentHelp(
            "TURN server, which also relays. Prefix turns: for TLS; suffix ?transport=tcp for TCP.",
            valueName: "user@host[:port]"))
    var turn: [String] = []

    @Option(help: "Read the password for the TURN servers from this file.")
    var turnPasswordFile: String?

    func validate() throws {
        do {
            _ = try ICEServerText.stun(stunList ?? "")
            _ = try ICEServerText.turn(turnList ?? "")
        } catch {
            throw ValidationError(error.atCommandLine)
        }
    }

    /// Nil: no option named a server.
    var stunList: String? { stun.isEmpty ? nil : stun.joined(separator: " ") }
    var turnList: String? { turn.isEmpty ? nil : turn.joined(separator: " ") }

    /// Whether the servers need a password, or somebody gave one.
    var hasPassword: Bool { turnPasswordFile != nil || turnList.map { !$0.isEmpty } ?? false }

    /// Reads the password of the TURN servers; asks when no file was named.
    func readPassword() throws -> Redacted<String> {
        var secret = SecretInput()
        secret.passwordFile = turnPasswordFile
        return try secret.read(asking: "Password for the TURN servers: ")
    }
}

extension Account.ICE.Policy: ExpressibleByArgument {}
