import Base

/// Who the account is.
public enum VertoCredentials: Equatable, Sendable {
    /// - Parameter user: At Telnyx without a domain, at FreeSWITCH `user@domain`.
    case password(user: String, Redacted<String>)
    /// A JSON Web Token, which ends after a day at most. Only where `VertoDialect.takesTokens`.
    case token(Redacted<String>)
}
