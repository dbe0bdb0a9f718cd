import ArgumentParser
import Base
import Glibc
import Vault

/// Options for ICE and its servers. The password of TURN servers comes from a file or a prompt.
struct ICEServerInput: ParsableArguments {
    /// The port of STUN and TURN (RFC 8489 §8.5, RFC 8656 §2.1).
    private static let usualPort: UInt16 = 3_478
    /// The port of STUN and TURN over TLS.
    private static let usualSecurePort: UInt16 = 5_349

    @Option(
        help: """
            How calls find a path (ICE): off, answered (if the far end offers it), always, or relayed (always, and \
            only through TURN servers). Default: answered; for Verto always.
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
        for server in stun { _ = try HostAndPort.parse(server) }
        for server in turn { _ = try Self.relay(server) }
        for (name, servers) in [("--stun", stun), ("--turn", turn)] where servers.count > Account.ICE.serverLimit {
            throw ValidationError("\(name): at most \(Account.ICE.serverLimit) servers")
        }
        if turnPasswordFile != nil, turn.isEmpty { throw ValidationError("--turn-password-file needs --turn") }
        if ice == .relayed, turn.isEmpty { throw ValidationError("--ice relayed needs a server: --turn") }
        if ice == .off, !stun.isEmpty || !turn.isEmpty {
            throw ValidationError("--ice off excludes --stun and --turn")
        }
    }

    /// Whether every call uses ICE. True when the option is missing.
    var isAlways: Bool { [nil, .always, .relayed].contains(ice) }

    /// - Parameter policy: The policy when the option is missing.
    func read(otherwise policy: Account.ICE.Policy) throws -> Account.ICE {
        var servers = try stun.map { server in
            let (host, port) = try HostAndPort.parse(server)
            return Account.ICE.Server(host: host, port: port ?? Self.usualPort)
        }
        if !turn.isEmpty {
            var secret = SecretInput()
            secret.passwordFile = turnPasswordFile
            let password = try secret.read(asking: "Password for the TURN servers: ")
            servers += try turn.map { server in
                var relay = try Self.relay(server)
                relay.password = password
                return relay
            }
        }
        return Account.ICE(ice ?? policy, servers: servers)
    }

    /// Parses a TURN URI (RFC 7065 §3.1) with a user before the host.
    private static func relay(_ uri: String) throws -> Account.ICE.Server {
        var (text, transport) = (uri[...], Account.ICE.Transport.udp)
        if text.hasPrefix("turns:") {
            (text, transport) = (text.dropFirst(6), .tls)
        } else if text.hasPrefix("turn:") {
            text = text.dropFirst(5)
        }
        if text.hasSuffix("?transport=tcp"), transport == .udp {
            (text, transport) = (text.dropLast(14), .tcp)
        }
        guard let at = text.lastIndex(of: "@"), at != text.startIndex else {
            throw ValidationError("--turn: expected [turn:|turns:]USER@HOST[:PORT][?transport=tcp]")
        }
        let user = String(text[..<at])
        guard AccountCommand.isPrintable(user) else {
            throw ValidationError("--turn: expected a user without control characters and without spaces at its ends")
        }
        let (host, port) = try HostAndPort.parse(String(text[text.index(after: at)...]))
        let usualPort = transport == .tls ? usualSecurePort : usualPort
        return Account.ICE.Server(host: host, port: port ?? usualPort, transport: transport, user: user)
    }
}

extension Account.ICE.Policy: ExpressibleByArgument {}
