import Base
import PhoneCore

/// One identity at one server, as a person configured it.
public struct Account: Equatable, Sendable {
    /// How its server is spoken to; `auto` leaves the choice to the name service (RFC 3263 §4.1).
    public enum Transport: String, CaseIterable, Sendable { case udp, tcp, tls, auto }

    /// Whether voice must be encrypted, is if the far end can, or never is.
    public enum Protection: String, CaseIterable, Sendable { case mandatory, offered, off }

    /// What people call the account.
    public var label: String
    /// The user part of the address of record.
    public var user: String
    /// The name for digest challenges; nil is `user`.
    public var authUser: String?
    /// The caller id name that others see.
    public var displayName: String?
    /// Host name or numeric address of the server.
    public var server: String
    /// Nil is the transport's own.
    public var port: UInt16?
    public var transport: Transport
    public var registers: Bool
    /// The domain of the address of record; nil is `server`.
    public var domain: String?
    public var password: Redacted<String>?
    public var protection: Protection
    /// Who may place calls on this line; the text is for Lines to interpret.
    public var acceptsFrom: String

    public init(
        label: String, user: String, authUser: String? = nil, displayName: String? = nil, server: String,
        port: UInt16? = nil, transport: Transport = .udp, registers: Bool = true, domain: String? = nil,
        password: Redacted<String>? = nil, protection: Protection = .mandatory, acceptsFrom: String = ""
    ) {
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
        self.protection = protection
        self.acceptsFrom = acceptsFrom
    }

    /// Refuses what no server could mean: empty names, control characters, texts without end.
    func validate() throws(VaultError) {
        try TextRule.check(
            required: ["label": label, "user": user, "server": server],
            optional: [
                "auth user": authUser, "display name": displayName, "domain": domain, "password": password?.reveal(),
                "accepts from": acceptsFrom,
            ])
        guard port != 0 else { throw .invalidValue(field: "port", expected: "1 to 65535") }
    }
}

/// An account as the vault keeps it.
public struct StoredAccount: Equatable, Sendable {
    public let id: AccountID
    public let created: WallTime
    /// By which its server tells this phone from others of the account: 32 hexadecimal digits, drawn when the account
    /// was added. They go where the vault goes: a board that takes another's place with its vault is the same phone.
    public let device: String
    public let account: Account
}
