import Base
import PhoneCore

/// One identity at one server: a person's configuration, plus what the line has learned about the server.
public struct Account: Equatable, Sendable {
    /// The transport to its server. `ws` and `wss` are WebSockets in clear and over TLS (RFC 7118); `auto` leaves the
    /// choice to DNS (RFC 3263 §4.1).
    public enum Transport: String, CaseIterable, Sendable {
        case udp, tcp, tls, ws, wss, auto

        public var isWebSocket: Bool { self == .ws || self == .wss }
    }

    /// How voice is encrypted: always; always with keys that no server knows (DTLS); if the far end supports it; never.
    public enum Protection: String, CaseIterable, Sendable { case mandatory, dtls, offered, off }

    public var kind: AccountServer.Kind
    /// The account's label, for people.
    public var label: String
    /// The user part of the address of record.
    public var user: String
    /// The name for digest challenges; nil is `user`.
    public var authUser: String?
    /// The caller name that far ends see.
    public var displayName: String?
    /// Host name or numeric address of the server. Over a WebSocket the path may follow, as in `pbx.example/sip`.
    public var server: String
    /// Nil: the transport's default port.
    public var port: UInt16?
    public var transport: Transport
    public var registers: Bool
    /// The domain of the address of record; nil is `host`.
    public var domain: String?
    public var password: Redacted<String>?
    /// The login token of a Telnyx server, instead of user and password. The user may then be empty.
    public var token: Redacted<String>?
    public var protection: Protection
    public var ice: ICE
    /// Who may place calls on this line. The vault stores this text, but this release does not use it.
    public var acceptsFrom: String
    /// Whether the password or the token may cross the network in clear: a Verto login over `ws` contains it as it is.
    public var allowsClearPassword = false
    /// What the account's line has learned about the server.
    public var trust = LineTrust()

    public init(
        kind: AccountServer.Kind = .sip, label: String, user: String, authUser: String? = nil,
        displayName: String? = nil,
        server: String,
        port: UInt16? = nil, transport: Transport = .udp, registers: Bool = true, domain: String? = nil,
        password: Redacted<String>? = nil, token: Redacted<String>? = nil, protection: Protection = .mandatory,
        ice: ICE = ICE(),
        acceptsFrom: String = ""
    ) {
        self.kind = kind
        self.label = label
        self.user = user
        self.authUser = authUser
        self.displayName = displayName
        self.server = server
        self.port = port
        self.transport = transport
        self.registers = registers
        self.domain = domain
        self.password = password
        self.token = token
        self.protection = protection
        self.ice = ice
        self.acceptsFrom = acceptsFrom
    }

    /// Whether anyone on the path to the server can read the password or the token. SIP sends a digest instead.
    public var sendsPasswordInClear: Bool {
        kind != .sip && transport == .ws && (password != nil || token != nil) && !Self.isThisMachine(host)
    }

    /// Packets to such a host never leave the machine.
    private static func isThisMachine(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && host.allSatisfy { "0123456789.".contains($0) }
    }

    /// Whether what is known about the server of one account also holds for the other.
    public func isAtSameServer(as other: Account) -> Bool {
        kind == other.kind && host == other.host && (domain ?? host) == (other.domain ?? other.host)
    }

    /// The server without a path.
    public var host: String { String(server.prefix { $0 != "/" }) }

    /// The path in the request to a WebSocket server.
    public var path: String { server.contains("/") ? String(server.drop { $0 != "/" }) : "/" }

    /// Limit of a token's length, in bytes. Telnyx's tokens have some 500.
    public static let tokenLimit = 4_096

    /// What a token must be, for people.
    public static let tokenRule = "1 to \(tokenLimit) visible characters of ASCII"

    public static func isToken(_ token: Redacted<String>) -> Bool {
        let bytes = token.reveal().utf8
        return (1...tokenLimit).contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) }
    }

    static func check(_ token: Redacted<String>) throws(VaultError) {
        guard isToken(token) else { throw .invalidValue(field: "token", expected: tokenRule) }
    }

    /// Rejects empty names, control characters and texts that are too long.
    func validate() throws(VaultError) {
        try TextRule.check(
            required: ["label": label, "server": server],
            optional: [
                "user": user, "auth user": authUser, "display name": displayName, "domain": domain,
                "password": password?.reveal(),
                "accepts from": acceptsFrom,
            ])
        if let token { try Self.check(token) } else { try TextRule.check(required: ["user": user]) }
        try ice.validate()
        guard port != 0 else { throw .invalidValue(field: "port", expected: "1 to 65535") }
    }
}

/// An account as the vault keeps it.
public struct StoredAccount: Equatable, Sendable {
    public let id: AccountID
    public let created: WallTime
    /// The name by which the server distinguishes this phone from the account's other phones: 32 random hexadecimal
    /// digits, drawn when the account was added. They belong to the vault, so a board that takes over another's vault
    /// is the same phone to the server.
    public let device: String
    public let account: Account

    /// An account that a program tries before the vault keeps it.
    package init(id: AccountID, created: WallTime, device: String, account: Account) {
        (self.id, self.created, self.device, self.account) = (id, created, device, account)
    }
}

extension Account {
    /// How the account's calls find a path to the far end (RFC 8445).
    public struct ICE: Equatable, Sendable {
        /// Never; if the far end offers it; always; or always and only through TURN servers, which hide our addresses.
        public enum Policy: String, CaseIterable, Sendable { case off, answered, always, relayed }

        /// A STUN server, or a TURN server if it has a user.
        public struct Server: Equatable, Sendable {
            public var host: String
            public var port: UInt16
            /// The transport to a TURN server.
            public var transport: Transport
            public var user: String?
            public var password: Redacted<String>?

            public init(
                host: String, port: UInt16, transport: Transport = .udp, user: String? = nil,
                password: Redacted<String>? = nil
            ) {
                self.host = host
                self.port = port
                self.transport = transport
                self.user = user
                self.password = password
            }
        }

        public enum Transport: String, CaseIterable, Sendable { case udp, tcp, tls }

        /// Limit of servers of each kind for an account.
        public static let serverLimit = 4

        public var policy: Policy
        public var servers: [Server]

        public init(_ policy: Policy = .answered, servers: [Server] = []) {
            self.policy = policy
            self.servers = servers
        }

        func validate() throws(VaultError) {
            for server in servers {
                try TextRule.check(
                    required: ["server of ICE": server.host],
                    optional: ["its user": server.user, "its password": server.password?.reveal()])
                guard server.port != 0 else { throw .invalidValue(field: "port", expected: "1 to 65535") }
            }
        }
    }
}

/// The rule for texts from a person or a server: a limited length, and no control characters, which a terminal would
/// obey.
enum TextRule {
    static let bytesMaximum = 256

    static func check(
        required: KeyValuePairs<String, String>, optional: KeyValuePairs<String, String?> = [:]
    ) throws(VaultError) {
        for (field, text) in required where text.isEmpty {
            throw .invalidValue(field: field, expected: "a text that is not empty")
        }
        for (field, text) in required.map({ ($0, $1 as String?) }) + Array(optional) {
            guard let text else { continue }
            guard text.utf8.count <= bytesMaximum, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw .invalidValue(field: field, expected: "at most \(bytesMaximum) bytes and no control character")
            }
        }
    }
}
