/// The outcome of an alarm: an input that calls somebody became active.
public enum AlarmOutcome: Equatable, Codable, Sendable {
    /// This call goes to the first target. If that cannot be reached, further calls go to the others.
    case called(CallID)
    /// There is another call, the line is not ready, or the last call of the alarm was too short a time ago.
    case waiting
    /// The wait took too long, or no target can be dialled. Nobody was called.
    case givenUp
}
