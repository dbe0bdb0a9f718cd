/// Whether an account's server knows the address of this phone (RFC 3261 §10).
public enum RegistrationState: Equatable, Codable, Sendable {
    /// The account is configured not to register: calls work, but our address is registered nowhere.
    case notNeeded
    case registering
    case registered
    /// The phone is not reachable through this line, which keeps trying to register. The text is for people.
    case failed(String)
    /// Somebody has unregistered the line. It does not register before somebody requests it.
    case disconnected

    /// All values of `code`.
    public static let codes = ["notNeeded", "registering", "registered", "failed", "disconnected"]

    /// The stable code for programs.
    public var code: String {
        switch self {
        case .notNeeded: "notNeeded"
        case .registering: "registering"
        case .registered: "registered"
        case .failed: "failed"
        case .disconnected: "disconnected"
        }
    }

    /// Whether calls can be made and answered.
    public var isReady: Bool {
        switch self {
        case .notNeeded, .registered: true
        case .registering, .failed, .disconnected: false
        }
    }
}
