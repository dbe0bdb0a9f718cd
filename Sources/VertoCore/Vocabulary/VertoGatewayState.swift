/// The state of the account at the server's gateway (Telnyx). Only `registered` lets calls through.
public enum VertoGatewayState: String, CaseIterable, Equatable, Sendable {
    case registered = "REGED"
    // Not registered yet, but it may still happen.
    case unregistered = "UNREGED"
    case trying = "TRYING"
    case register = "REGISTER"
    case unregister = "UNREGISTER"
    case notRegistered = "NOREG"
    case expired = "EXPIRED"
    /// An unknown state, or none.
    case unknown = ""
    // Failed: another gateway may work.
    case failed = "FAILED"
    case failWait = "FAIL_WAIT"
    case down = "DOWN"
    case timeout = "TIMEOUT"
    // Without meaning for a telephone.
    case idle = "IDLE"
    case attached = "ATTACHED"

    /// What the session does then.
    enum Consequence: Equatable, Sendable { case ready, askAgain, connectAnew, nothing }

    var consequence: Consequence {
        switch self {
        case .registered: .ready
        case .unregistered, .trying, .register, .unregister, .notRegistered, .expired, .unknown: .askAgain
        case .failed, .failWait, .down, .timeout: .connectAnew
        case .idle, .attached: .nothing
        }
    }
}
