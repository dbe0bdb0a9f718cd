/// Whether an account's server knows where this phone is (RFC 3261 §10).
public enum RegistrationState: Equatable, Codable, Sendable {
    /// Configured not to register: calls work, nobody is told where we are.
    case notNeeded
    case registering
    case registered
    /// Not reachable through this line; it goes on trying. The text is for people.
    case failed(String)

    /// Whether calls can be placed and answered.
    public var isReady: Bool {
        switch self {
        case .notNeeded, .registered: true
        case .registering, .failed: false
        }
    }
}
