import Base

/// The identity of a line at its server.
public struct LineCredentials: Equatable, Sendable {
    /// The user name in its address, and also the one for authentication.
    public var user: String
    public var password: Redacted<String>
    public var displayName: String?
    /// The number that calls show over Verto, where the caller gives it. A SIP server knows it from the account.
    public var callerNumber: String?

    public init(
        user: String, password: Redacted<String>, displayName: String? = nil, callerNumber: String? = nil
    ) {
        self.user = user
        self.password = password
        self.displayName = displayName
        self.callerNumber = callerNumber
    }
}
