import Base

/// The identity of a line at its server.
public struct LineCredentials: Equatable, Sendable {
    /// The user name in its address, and also the one for authentication.
    public var user: String
    public var password: Redacted<String>
    public var displayName: String?

    public init(user: String, password: Redacted<String>, displayName: String? = nil) {
        self.user = user
        self.password = password
        self.displayName = displayName
    }
}
