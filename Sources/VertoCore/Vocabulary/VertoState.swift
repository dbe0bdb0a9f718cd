/// Whether calls can be made and answered.
public enum VertoState: Equatable, Sendable {
    /// Nobody wants a connection.
    case off
    case connecting
    case authenticating
    /// The server knows us, its gateway does not yet: calls that are up go on, new ones cannot be made.
    case registering
    case ready
    /// There is no connection; the session tries again by itself, unless the failure is `tokenNotTaken`.
    case waiting(VertoFailure)
}
