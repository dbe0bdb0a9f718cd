import Base

/// A tenant that an account serves, by the name its backend gives it.
public struct OrganisationID: Hashable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
}

public struct Organisation: Hashable, Codable, Sendable {
    public var id: OrganisationID
    /// For people; shown as a badge when the organisation is not the current one.
    public var name: String

    public init(id: OrganisationID, name: String) {
        self.id = id
        self.name = name
    }
}

/// How an account signs in, and what it shows as its origin.
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

/// Which organisation the phone works for: the account that is registered for it, and with what.
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

/// Why the phone still works for the organisation that it worked for before.
public enum SwitchFailure: Error, Equatable, Codable, Sendable {
    case network
    /// The backend's status.
    case api(Int)
    case parse, timeout, credentialStore, connection
    /// The call that asked for it went away.
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
