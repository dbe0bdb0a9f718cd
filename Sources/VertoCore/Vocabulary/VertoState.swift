/// Whether the session can make and answer calls.
public enum VertoState: Equatable, Sendable {
    /// Nobody wants a connection.
    case off
    case connecting
    case authenticating
    /// The server knows us, but its gateway does not yet. Calls that are up go on, and new ones cannot be made.
    case registering
    case ready
    /// There is no connection. The session tries again, unless the failure is `tokenNotTaken` or `passwordInClear`.
    case waiting(VertoFailure)
}
