/// What the phones of a watched number do (RFC 4235).
public enum WatchedState: String, CaseIterable, Codable, Sendable {
    /// Nobody says, or nobody says any more.
    case unknown
    case idle, ringing, busy
    /// In a call that is on hold.
    case held
}
