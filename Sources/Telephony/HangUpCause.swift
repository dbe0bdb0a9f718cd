/// Why the phone itself ends a call, without a person's wish. The far end learns it (RFC 3326).
public enum HangUpCause: String, CaseIterable, Codable, Equatable, Sendable {
    /// No media arrived any more.
    case mediaLost
    /// Sound could not be set up.
    case mediaFailed
    case networkLost
    /// It took too long to set up.
    case timedOut
    /// The call reached the longest time that the phone allows.
    case tooLong
    case shutDown
}
