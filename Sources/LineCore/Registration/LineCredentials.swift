import Base

/// Who a line is at its server.
public struct LineCredentials: Equatable, Sendable {
    /// Both the name in its address and the one that it signs in with.
    public var user: String
    public var password: Redacted<String>
    public var displayName: String?

    public init(user: String, password: Redacted<String>, displayName: String? = nil) {
        self.user = user
        self.password = password
        self.displayName = displayName
    }
}
