import Control
import Vault

/// Parses lists of STUN and TURN servers, with spaces between the servers.
enum ICEServerText {
    /// The port of STUN and TURN (RFC 8489 §8.5, RFC 8656 §2.1).
    static let usualPort: UInt16 = 3_478
    /// The port of STUN and TURN over TLS.
    private static let usualSecurePort: UInt16 = 5_349

    static func stun(_ list: String) throws(AccountRefusal) -> [Account.ICE.Server] {
        try servers(list, of: .stun) { text throws(AccountRefusal) in
            let (host, port) = try place(text, of: .stun)
            return Account.ICE.Server(host: host, port: port ?? usualPort)
        }
    }

    /// The servers without their password.
    static func turn(_ list: String) throws(AccountRefusal) -> [Account.ICE.Server] {
        try servers(list, of: .turn) { text throws(AccountRefusal) in try relay(text) }
    }

    /// The list that `stun` or `turn` parses.
    static func text(_ servers: [Account.ICE.Server]) -> String {
        servers.map { server in
            let host = server.host.contains(":") ? "[\(server.host)]" : server.host
            let place = "\(host):\(server.port)"
            guard let user = server.user else { return place }
            let prefix = server.transport == .tls ? "turns:" : ""
            return prefix + user + "@" + place + (server.transport == .tcp ? "?transport=tcp" : "")
        }.joined(separator: " ")
    }

    private static func servers(
        _ list: String, of field: AccountDraft.Field,
        _ parse: (String) throws(AccountRefusal) -> Account.ICE.Server
    ) throws(AccountRefusal) -> [Account.ICE.Server] {
        var servers: [Account.ICE.Server] = []
        for text in list.split(separator: " ") { servers.append(try parse(String(text))) }
        guard servers.count <= Account.ICE.serverLimit else {
            throw AccountRefusal(field, "at most \(Account.ICE.serverLimit) servers")
        }
        return servers
    }

    private static func place(
        _ text: String, of field: AccountDraft.Field
    ) throws(AccountRefusal) -> (host: String, port: UInt16?) {
        do {
            return try HostAndPort.parse(text)
        } catch {
            throw AccountRefusal(field, "\(error)")
        }
    }

    /// Parses a TURN URI (RFC 7065 §3.1) with a user before the host.
    private static func relay(_ uri: String) throws(AccountRefusal) -> Account.ICE.Server {
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
            throw AccountRefusal(.turn, "expected [turn:|turns:]USER@HOST[:PORT][?transport=tcp]")
        }
        let user = String(text[..<at])
        guard AccountCommand.isPrintable(user) else {
            throw AccountRefusal(.turn, "expected a user without control characters")
        }
        let (host, port) = try place(String(text[text.index(after: at)...]), of: .turn)
        let usualPort = transport == .tls ? usualSecurePort : usualPort
        return Account.ICE.Server(host: host, port: port ?? usualPort, transport: transport, user: user)
    }
}
