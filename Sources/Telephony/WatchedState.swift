/// The state of a watched number's phones (RFC 4235).
public enum WatchedState: String, CaseIterable, Codable, Sendable {
    /// The server does not report the state, or has stopped reporting it.
    case unknown
    case idle, ringing, busy
    /// There is a call, and it is on hold.
    case held

    /// One call at a watched number.
    public enum Call: Equatable, Sendable {
        /// It rings at the number.
        case ringing
        case busy, held
    }

    /// The state of a number with these calls. A ringing call wins over one that is up, and an active call over a held
    /// one.
    public init(_ calls: some Collection<Call>) {
        self =
            calls.contains(.ringing) ? .ringing : calls.contains(.busy) ? .busy : calls.isEmpty ? .idle : .held
    }
}
