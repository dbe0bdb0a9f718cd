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

/// Why the session has no service.
public enum VertoFailure: Equatable, Sendable {
    /// No connection was opened within `VertoTiming.connectLimit`, or it was refused.
    case unreachable
    /// The connection ended.
    case connectionLost
    /// The server does not answer.
    case silent
    /// The server rejects the credentials. The text is the server's, safe to show, of at most
    /// `VertoLimits.messageBytes`.
    case credentials(String)
    /// The server rejects the token. The text is as for `credentials`.
    case token(String)
    /// The server accepts only a user and a password.
    case tokenNotTaken
    /// The login would go over a network in clear.
    case passwordInClear
    /// The server requests a login again.
    case sessionForgotten
    case gateway(VertoGatewayState)
    /// The server dropped this session.
    case punted

    /// The failure as a sentence for people.
    public var words: String {
        switch self {
        case .unreachable: "the server cannot be reached"
        case .connectionLost: "the connection to the server was lost"
        case .silent: "the server does not answer"
        case .credentials(let message):
            message.isEmpty ? "the server refuses the credentials" : "the server refuses the credentials: \(message)"
        case .token(let message):
            "the server rejects the token: if it has expired, the account needs a new one"
                + (message.isEmpty ? "" : " (\(message))")
        case .tokenNotTaken: "the server accepts no token; the account needs a user and a password"
        case .passwordInClear:
            "the password is not sent over ws, where everybody on the path could read it; remove the account and add it with "
                + "--transport wss, or with --allow-clear-password"
        case .sessionForgotten: "the server has forgotten the session"
        case .gateway(.unknown): "the gateway does not say whether it has registered the account"
        case .gateway(let state): "the gateway has not registered the account: \(state.rawValue)"
        case .punted: "the server dropped the session"
        }
    }
}

/// A connection to the server, by the number that the session gives it. Messages of an older one are ignored.
public struct VertoSocketID: Hashable, Sendable {
    public let rawValue: Int
}
