/// Whether an account's server knows the address of this phone (RFC 3261 §10).
public enum RegistrationState: Equatable, Codable, Sendable {
    /// The account is configured not to register: calls work, but no server is told our address.
    case notNeeded
    case registering
    case registered
    /// The phone is not reachable through this line, which goes on trying to register. The text is for people.
    case failed(String)

    /// Whether calls can be placed and answered.
    public var isReady: Bool {
        switch self {
        case .notNeeded, .registered: true
        case .registering, .failed: false
        }
    }
}
