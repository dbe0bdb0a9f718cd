import Base

/// A tenant that an account serves, by its identifier at the backend.
public struct OrganisationID: Hashable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
}

public struct Organisation: Hashable, Codable, Sendable {
    public var id: OrganisationID
    /// The name that people see. It is shown as a badge when the organisation is not the current one.
    public var name: String
    /// The backend's short name for addresses. Nil: it gave none.
    public var slug: String?

    public init(id: OrganisationID, name: String, slug: String? = nil) {
        self.id = id
        self.name = name
        self.slug = slug
    }
}

/// The credentials of an account, and the caller identity that it shows.
public struct AccountCredentials: Equatable, Codable, Sendable {
    public var user: String
    public var password: Redacted<String>
    public var callerName: String?
    public var callerNumber: String?
    /// A token that some servers take in place of user and password. Nil: the backend gave none.
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
    public enum Kind: String, Codable, Sendable { case sip, verto, telnyx }
    public enum Transport: String, Codable, Sendable { case udp, tcp, tls, ws, wss }

    public var kind: Kind
    /// A host, or host and port. Nil: the usual server of this kind.
    public var place: String?
    /// Nil: the usual transport of this kind.
    public var transport: Transport?

    public init(kind: Kind, place: String? = nil, transport: Transport? = nil) {
        (self.kind, self.place, self.transport) = (kind, place, transport)
    }
}

/// The organisation that the phone works for: the account that is registered for it, and its credentials.
public struct OrganisationContext: Equatable, Codable, Sendable {
    public var account: AccountID
    public var organisation: Organisation
    public var credentials: AccountCredentials

    public init(account: AccountID, organisation: Organisation, credentials: AccountCredentials) {
        self.account = account
        self.organisation = organisation
        self.credentials = credentials
    }
}

/// An organisation to which the user belongs, as the backend lists it.
public struct KnownOrganisation: Equatable, Codable, Sendable {
    public var organisation: Organisation
    /// The number at which it is called. Nil: the backend gave none.
    public var channel: String?
    /// Whether a sign-in begins with it.
    public var isDefault: Bool
    /// Whether the phone works for it now.
    public var isCurrent: Bool

    public init(
        _ organisation: Organisation, channel: String? = nil, isDefault: Bool = false, isCurrent: Bool = false
    ) {
        self.organisation = organisation
        self.channel = channel
        self.isDefault = isDefault
        self.isCurrent = isCurrent
    }
}

/// Why a change of organisation failed. The phone still works for the former one. The list of organisations fails for
/// the same reasons.
public enum SwitchFailure: Error, Equatable, Codable, Sendable {
    /// The backend's answer names no organisation.
    case noOrganisation
    case network
    /// The backend's status, and its text for people. Nil: it gave none, or the event log is of a former version.
    case api(Int, String? = nil)
    case parse, timeout, credentialStore, connection
    /// The call that asked for the change ended, or the phone gave up what was under way.
    case abandoned
}
