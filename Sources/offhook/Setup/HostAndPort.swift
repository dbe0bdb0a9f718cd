import Base
import Commands
import Control
import Lines
import Vault

/// Parses what people write for a server: `host`, `host:port`, `[v6]` or `[v6]:port`.
extension HostAndPort {
    static func parse(_ text: String) throws(CommandError) -> (host: String, port: UInt16?) {
        guard let place = HostAndPort(text), place.isVersion6 || isName(place.host) else {
            throw CommandError("\"\(text)\" is no server; expected NAME, NAME:PORT, ADDRESS or [IPV6]:PORT")
        }
        return (place.host, place.port)
    }

    /// Parses host and port of an account's server. A WebSocket server may have a path, which stays with the host.
    static func parse(server text: String, allowsPath: Bool) throws(CommandError) -> (host: String, port: UInt16?) {
        guard allowsPath, let slash = text.firstIndex(of: "/") else { return try parse(text) }
        let (host, port) = try parse(String(text[..<slash]))
        let path = String(text[slash...])
        guard LineSettings.isWebSocketPath(path) else {
            throw CommandError("\"\(path)\" is no path; expected visible ASCII characters except #")
        }
        return (host + path, port)
    }

    /// A name or a numeric address, without brackets.
    static func isHost(_ text: String) -> Bool { isName(text) || IPAddress(text)?.isVersion6 == true }

    /// Allows the characters of RFC 1123 names and IPv4 addresses, and the underscore that some networks use.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._".utf8.contains($0) }
    }
}

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
            let place = "\(server.host.inBrackets):\(server.port)"
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
