/// What became of an alarm: an input became active that calls somebody.
public enum AlarmOutcome: Equatable, Codable, Sendable {
    /// This call goes to the first target. If that cannot be reached, further calls go to the others.
    case called(CallID)
    /// There is another call, the line is not ready, or the alarm has called only a short time ago.
    case waiting
    /// The wait took too long, or the target is none. Nobody was called.
    case givenUp
}
