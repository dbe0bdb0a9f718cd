import ArgumentParser
import Base
import Vault

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Add, list and remove accounts, the phone's identities at servers.",
        subcommands: [Add.self, List.self, Trust.self, ForgetTrust.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an account. Its password is read from a prompt, a file or standard input.",
            discussion: "Telnyx also issues login tokens, each valid for a day: --token-file or --token-stdin.")

        @OptionGroup var phone: ConfigurationOption
        @Argument(help: "Label of the account.") var label: String
        @Option(help: "Protocol of the server: sip, verto (FreeSWITCH's mod_verto), or telnyx (Telnyx's Verto).")
        var kind = Account.Kind.sip
        @Option(help: "User part of the address; not needed with a token.") var user: String?
        @Option(
            help: ArgumentHelp(
                "The server: a name or an address, with :PORT if it is not the default (5060, over TLS 5061, over a "
                    + "WebSocket 80 or 443). A WebSocket server may have a /PATH after that."))
        var server: String
        @Option(help: "Name for authentication, if it is not the user.") var authUser: String?
        @Option(help: "Name shown to the far end.") var displayName: String?
        @Option(help: "Domain of the address, if it is not the server.") var domain: String?
        @Option(
            help: ArgumentHelp(
                "udp, tcp, tls, ws (WebSocket, not encrypted), wss (WebSocket over TLS), or auto: the choice of "
                    + "the server's domain. Default: udp; for Verto wss."))
        var transport: Account.Transport?
        @Option(
            help: ArgumentHelp(
                "Encryption of voice: mandatory, dtls (no server gets the keys), offered or off. Default: "
                    + "mandatory; for Verto dtls."))
        var protection: Account.Protection?
        @Flag(inversion: .prefixedNo, help: "Register with the server.") var register = true
        @Flag(help: "The server asks for no password.") var noPassword = false
        @Flag(
            help: ArgumentHelp(
                "Let Verto over ws send the password unencrypted: everybody on the path can read it. Without this "
                    + "flag the phone does so only to servers on this machine."))
        var allowClearPassword = false
        @OptionGroup var secret: SecretInput
        @OptionGroup var token: LoginTokenInput
        @OptionGroup var ice: ICEServerInput

        private var usedTransport: Account.Transport { transport ?? (kind == .sip ? .udp : .wss) }

        func validate() throws {
            _ = try HostAndPort.parse(server: server, allowsPath: usedTransport.isWebSocket)
            if kind != .sip {
                guard usedTransport.isWebSocket else { throw ValidationError("Verto needs --transport ws or wss") }
                guard protection ?? .dtls == .dtls else { throw ValidationError("Verto needs --protection dtls") }
                guard ice.isAlways else { throw ValidationError("Verto needs --ice always or relayed") }
            }
            if let domain, try HostAndPort.parse(domain).port != nil {
                throw ValidationError("--domain takes no port; give the port to --server")
            }
            try validateLogin()
            if noPassword, secret.isNamed { throw ValidationError("give --no-password or a password, not both") }
            for (name, text) in [
                ("<label>", label), ("--user", user), ("--auth-user", authUser), ("--display-name", displayName),
            ] {
                guard let text, !AccountCommand.isPrintable(text) else { continue }
                throw ValidationError(
                    "\(name): expected text without control characters and without spaces at its ends")
            }
            if let user, user.contains(where: { $0 == "@" || $0.isWhitespace }) {
                throw ValidationError("--user: expected the part of the address before the @")
            }
        }

        private func validateLogin() throws {
            guard token.isNamed else {
                guard user != nil else { throw ValidationError("Missing expected argument '--user <user>'") }
                return
            }
            guard kind == .telnyx else { throw ValidationError("a token needs --kind telnyx") }
            guard !secret.isNamed, !noPassword, authUser == nil else {
                throw ValidationError("a token replaces the password and --auth-user; give one or the other")
            }
        }

        func run() throws {
            let (host, port) = try HostAndPort.parse(server: server, allowsPath: usedTransport.isWebSocket)
            if sendsPasswordInClear, !allowClearPassword { throw CommandError(AccountCommand.clearPassword(label)) }
            var vault = try phone.load().openVault(access: .exclusive)
            guard try !vault.accounts().contains(where: { $0.account.label == label }) else {
                throw CommandError("an account \"\(label)\" already exists; choose another label or remove it first")
            }
            // Ask for the password last, so that nobody types it in vain.
            let token = try token.read()
            let password = noPassword || token != nil ? nil : try secret.read()
            let ice = try ice.read(otherwise: kind == .sip ? .answered : .always)
            var account = Account(
                kind: kind, label: label, user: user ?? "", authUser: authUser, displayName: displayName,
                server: host, port: port, transport: usedTransport, registers: register, domain: domain,
                password: password, token: token,
                protection: protection ?? (kind == .sip ? .mandatory : .dtls), ice: ice)
            account.allowsClearPassword = allowClearPassword
            _ = try vault.addAccount(account)
            print("\(label): added" + (sendsPasswordInClear ? "; its password is sent unencrypted" : ""))
        }

        private var sendsPasswordInClear: Bool {
            guard !noPassword, let (host, port) = try? HostAndPort.parse(server: server, allowsPath: true) else {
                return false
            }
            return Account(
                kind: kind, label: label, user: user ?? "", server: host, port: port, transport: usedTransport,
                password: Redacted("a password or a token")
            ).sendsPasswordInClear
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the accounts without their secrets.")

        @OptionGroup var phone: ConfigurationOption

        func run() throws {
            for stored in try phone.load().openVault(access: .readOnly).accounts() {
                let account = stored.account
                let host = account.host.contains(":") ? "[\(account.host)]" : account.host
                let port = (account.port.map { ":\($0)" } ?? "") + (account.path == "/" ? "" : account.path)
                let manner = account.registers ? "registers" : "does not register"
                let user =
                    account.token == nil
                    ? account.user : account.user.isEmpty ? "a token" : account.user + " with a token"
                print(
                    "\(account.label)  \(user) at \(host)\(port) over \(account.transport.rawValue), "
                        + "\(manner), encryption \(account.protection.rawValue), ICE \(account.ice.policy.rawValue)"
                        + (account.sendsPasswordInClear ? ", password sent unencrypted" : ""))
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove an account and its secret.")

        @OptionGroup var phone: ConfigurationOption
        @Argument(help: "Label of the account.") var label: String

        func run() throws {
            var vault = try phone.load().openVault(access: .exclusive)
            _ = try vault.removeAccount(AccountCommand.account(label, in: vault).id)
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

    /// Why the phone does not send an account's password, and what to do.
    static func clearPassword(_ label: String) -> String {
        "\(label): Verto over ws sends the password unencrypted, and everybody on the path can read it. Use "
            + "--transport "
            + "wss; or, on a network that only you use, add the account with --allow-clear-password"
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

extension Account.Kind: ExpressibleByArgument {}
extension Account.Transport: ExpressibleByArgument {}
extension Account.Protection: ExpressibleByArgument {}
