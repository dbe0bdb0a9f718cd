import Base

/// A name and a password that a server knows (RFC 8489 §9.2). The password is never printed.
public struct LongTermCredentials: Equatable, Sendable {
    public let user: String
    public let password: Redacted<String>

    /// - Parameters: The strings as they are hashed: the owner prepares them (RFC 8265).
    public init(user: String, password: Redacted<String>) { (self.user, self.password) = (user, password) }
}
