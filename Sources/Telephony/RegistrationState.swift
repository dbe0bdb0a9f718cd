/// Whether an account's server knows the address of this phone (RFC 3261 §10).
public enum RegistrationState: Equatable, Codable, Sendable {
    /// The account is configured not to register: calls work, but no server is told our address.
    case notNeeded
    case registering
    case registered
    /// The phone is not reachable through this line, which goes on trying to register. The text is for people.
    case failed(String)
    /// Somebody took the registration back. The line does not register before somebody wants it again.
    case disconnected

    /// All values of `code`.
    public static let codes = ["notNeeded", "registering", "registered", "failed", "disconnected"]

    /// The stable word for programs.
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
