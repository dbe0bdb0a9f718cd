/// The state of a watched number's phones (RFC 4235).
public enum WatchedState: String, CaseIterable, Codable, Sendable {
    /// The server does not report the state, or has stopped reporting it.
    case unknown
    case idle, ringing, busy
    /// There is a call, and it is on hold.
    case held
}
