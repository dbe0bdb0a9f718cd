import Base

/// One account of the vault. The direct line, which needs no account, has the identifier 0.
public struct AccountID: Hashable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    public static let direct = AccountID(0)
    public var description: String { rawValue == 0 ? "direct" : "account-\(rawValue)" }
}

/// The credentials of an account at its server, and the caller identity that it shows.
public struct AccountCredentials: Equatable, Codable, Sendable {
    /// The user name in its address, and also the one for authentication.
    public var user: String
    public var password: Redacted<String>
    public var callerName: String?
    /// The number that calls show as their origin. Over SIP the server is asked to show it (RFC 3325 §9.2).
    public var callerNumber: String?
    /// A token that some servers take in place of user and password. Nil: there is none.
    public var loginToken: Redacted<String>?
    /// Where the credentials are valid. Nil: at the account's own server.
    public var server: AccountServer?

    public init(
        user: String, password: Redacted<String>, callerName: String? = nil, callerNumber: String? = nil,
        loginToken: Redacted<String>? = nil, server: AccountServer? = nil
    ) {
        self.user = user
        self.password = password
        self.callerName = callerName
        self.callerNumber = callerNumber
        self.loginToken = loginToken
        self.server = server
    }
}

/// A call server of one organisation, as the backend names it. Organisations of one user may have different ones.
public struct AccountServer: Equatable, Codable, Sendable {
    /// The protocol: SIP, or Verto over a WebSocket as in FreeSWITCH's mod_verto or as at Telnyx.
    public enum Kind: String, CaseIterable, Codable, Sendable { case sip, verto, telnyx }
    public enum Transport: String, Codable, Sendable { case udp, tcp, tls, ws, wss }

    public var kind: Kind
    /// A host, or host and port.
    public var place: String
    /// Nil: the usual transport of this kind.
    public var transport: Transport?

    public init(kind: Kind, place: String, transport: Transport? = nil) {
        (self.kind, self.place, self.transport) = (kind, place, transport)
    }
}
