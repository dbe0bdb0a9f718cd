/// Whether an account's server knows the address of this phone (RFC 3261 §10).
public enum RegistrationState: Equatable, Codable, Sendable {
    /// The account is configured not to register: calls work, but no server is told our address.
    case notNeeded
    case registering
    case registered
    /// The phone is not reachable through this line, which goes on trying to register. The text is for people.
    case failed(String)

    /// All values of `code`.
    public static let codes = ["notNeeded", "registering", "registered", "failed"]

    /// The stable word for programs.
    public var code: String {
        switch self {
        case .notNeeded: "notNeeded"
        case .registering: "registering"
        case .registered: "registered"
        case .failed: "failed"
        }
    }

    /// Whether calls can be placed and answered.
    public var isReady: Bool {
        switch self {
        case .notNeeded, .registered: true
        case .registering, .failed: false
        }
    }
}
