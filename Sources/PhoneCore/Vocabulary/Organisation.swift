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

    public init(user: String, password: Redacted<String>, callerName: String? = nil, callerNumber: String? = nil) {
        self.user = user
        self.password = password
        self.callerName = callerName
        self.callerNumber = callerNumber
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

/// Why a change of organisation failed. The phone still works for the former one.
public enum SwitchFailure: Error, Equatable, Codable, Sendable {
    case network
    /// The backend's status.
    case api(Int)
    case parse, timeout, credentialStore, connection
    /// The call that asked for the change ended.
    case abandoned
}

public enum BackendEffect: Equatable, Codable, Sendable {
    /// Ask for the credentials of another organisation; answered by `switched` or `switchFailed`.
    case switchOrganisation(OrganisationID)
}

public enum BackendEvent: Equatable, Codable, Sendable {
    case switched(OrganisationContext)
    case switchFailed(SwitchFailure)
}
