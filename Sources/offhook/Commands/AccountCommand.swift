import ArgumentParser
import Base
import Vault

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "The identities that this phone has at servers.",
        subcommands: [Add.self, List.self, Trust.self, ForgetTrust.self, Remove.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an account. Its password is read from a prompt, a file or standard input.",
            discussion: "Telnyx also gives tokens for logins, for a day each: --token-file or --token-stdin.")

        @OptionGroup var phone: ConfigurationOption
        @Argument(help: "What you call the account.") var label: String
        @Option(help: "What the server speaks: sip, verto (FreeSWITCH's mod_verto), or telnyx (Telnyx's Verto).")
        var kind = Account.Kind.sip
        @Option(help: "The user part of its address; an account with a token can do without.") var user: String?
        @Option(
            help: ArgumentHelp(
                "The server: a name or an address, with :PORT when it is not the usual one (5060, over TLS 5061, "
                    + "over a WebSocket 80 or 443), and over a WebSocket with /PATH behind it when there is one."))
        var server: String
        @Option(help: "The name for authentication, when it is not the user.") var authUser: String?
        @Option(help: "The name that others are shown.") var displayName: String?
        @Option(help: "The domain of the address, when it is not the server.") var domain: String?
        @Option(
            help: ArgumentHelp(
                "udp, tcp, tls, ws (WebSocket in clear), wss (WebSocket over TLS), or auto: as the server's domain "
                    + "prefers. Without it udp, and for Verto wss."))
        var transport: Account.Transport?
        @Option(
            help: ArgumentHelp(
                "Encryption of voice: mandatory, dtls (with keys that no server has), offered or off. Without it "
                    + "mandatory, and for Verto dtls."))
        var protection: Account.Protection?
        @Flag(inversion: .prefixedNo, help: "Register at the server.") var register = true
        @Flag(help: "The server asks for no password.") var noPassword = false
        @Flag(
            help: ArgumentHelp(
                "Let Verto over ws send the password in clear, where everybody on the path can read it. Without it that "
                    + "is done on this machine only."))
        var allowClearPassword = false
        @OptionGroup var secret: SecretInput
        @OptionGroup var token: LoginTokenInput
        @OptionGroup var ice: ICEServerInput

        private var usedTransport: Account.Transport { transport ?? (kind == .sip ? .udp : .wss) }

        func validate() throws {
            _ = try HostAndPort.parse(server: server, allowsPath: usedTransport.isWebSocket)
            if kind != .sip {
                guard usedTransport.isWebSocket else { throw ValidationError("Verto has --transport ws or wss") }
                guard protection ?? .dtls == .dtls else { throw ValidationError("Verto has --protection dtls") }
                guard ice.isAlways else { throw ValidationError("Verto has --ice always or relayed") }
            }
            if let domain, try HostAndPort.parse(domain).port != nil {
                throw ValidationError("--domain takes no port; --server does")
            }
            try validateLogin()
            if noPassword, secret.isNamed { throw ValidationError("give --no-password or a password, not both") }
            for (name, text) in [
                ("<label>", label), ("--user", user), ("--auth-user", authUser), ("--display-name", displayName),
            ] {
                guard let text, !AccountCommand.isPrintable(text) else { continue }
                throw ValidationError("\(name): expected text without control characters and without space at its ends")
            }
            if let user, user.contains(where: { $0 == "@" || $0.isWhitespace }) {
                throw ValidationError("--user: expected what stands before the @ of the address")
            }
        }

        private func validateLogin() throws {
            guard token.isNamed else {
                guard user != nil else { throw ValidationError("Missing expected argument '--user <user>'") }
                return
            }
            guard kind == .telnyx else { throw ValidationError("a token is for --kind telnyx") }
            guard !secret.isNamed, !noPassword, authUser == nil else {
                throw ValidationError("a token takes the place of a password and of --auth-user; give one of them")
            }
        }

        func run() throws {
            let (host, port) = try HostAndPort.parse(server: server, allowsPath: usedTransport.isWebSocket)
            if sendsPasswordInClear, !allowClearPassword { throw CommandError(AccountCommand.clearPassword(label)) }
            var vault = try phone.load().openVault(access: .exclusive)
            guard try !vault.accounts().contains(where: { $0.account.label == label }) else {
                throw CommandError("there is an account \"\(label)\" already")
            }
            // The password is asked for last, so that a person does not type it in vain.
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
            print("\(label): added" + (sendsPasswordInClear ? "; its password goes over the network in clear" : ""))
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
            commandName: "list", abstract: "List the accounts, without their secrets.")

        @OptionGroup var phone: ConfigurationOption

        func run() throws {
            for stored in try phone.load().openVault(access: .readOnly).accounts() {
                let account = stored.account
                let host = account.host.contains(":") ? "[\(account.host)]" : account.host
                let port = (account.port.map { ":\($0)" } ?? "") + (account.path == "/" ? "" : account.path)
                let manner = account.registers ? "registers" : "does not register"
                let user =
                    account.token == nil
                    ? account.user : account.user.isEmpty ? "a token" : account.user + " by a token"
                print(
                    "\(account.label)  \(user) at \(host)\(port) over \(account.transport.rawValue), "
                        + "\(manner), encryption \(account.protection.rawValue), ICE \(account.ice.policy.rawValue)"
                        + (account.sendsPasswordInClear ? ", password in clear" : ""))
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove an account and its secret.")

        @OptionGroup var phone: ConfigurationOption
        @Argument(help: "What you call the account.") var label: String

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
            throw CommandError("there is no account \"\(label)\"")
        }
        return stored
    }

    /// Why an account's password is not sent, and what to do.
    static func clearPassword(_ label: String) -> String {
        "\(label): Verto over ws sends the password in clear, and everybody on the path can read it. Use --transport wss; "
            + "or, where the network is yours alone, add the account with --allow-clear-password"
    }

    /// Whether a terminal shows the text as it was typed, and a person can type it again.
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
