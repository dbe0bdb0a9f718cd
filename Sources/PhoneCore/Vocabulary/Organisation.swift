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
