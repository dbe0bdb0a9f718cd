/// How the server's gateway stands to the account (Telnyx). Only `registered` lets calls through.
public enum VertoGatewayState: String, CaseIterable, Equatable, Sendable {
    case registered = "REGED"
    // It has not registered yet: it may still.
    case unregistered = "UNREGED"
    case trying = "TRYING"
    case register = "REGISTER"
    case unregister = "UNREGISTER"
    case notRegistered = "NOREG"
    case expired = "EXPIRED"
    /// It says what nobody here knows, or nothing.
    case unknown = ""
    // It has failed: another one may do better.
    case failed = "FAILED"
    case failWait = "FAIL_WAIT"
    case down = "DOWN"
    case timeout = "TIMEOUT"
    // These mean nothing for a telephone.
    case idle = "IDLE"
    case attached = "ATTACHED"

    /// What follows from it.
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
