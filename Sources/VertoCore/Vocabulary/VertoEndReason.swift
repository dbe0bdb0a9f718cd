/// Why a call ended, in the words of telephones.
public enum VertoEndReason: String, CaseIterable, Equatable, Sendable {
    // What the server said.
    case hungUp, busy, noAnswer, declined, cancelled, answeredElsewhere
    case notFound, unavailable, forbidden, incompatible, congestion, timedOut
    /// The server had a cause that is not in the table; the end keeps its name.
    case failed

    // What happened here.
    /// Our goodbye.
    case here
    /// The line was not ready.
    case notReady
    /// The server did not answer a request in time.
    case noResponse
    /// The connection was lost, and the server did not give the call back.
    case lost
    /// The server dropped the session and its calls.
    case dropped
}
