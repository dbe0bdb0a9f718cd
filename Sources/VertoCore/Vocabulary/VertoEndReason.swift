/// Why a call ended, in terms of telephony.
public enum VertoEndReason: String, CaseIterable, Equatable, Sendable {
    // Reported by the server.
    case hungUp, busy, noAnswer, declined, cancelled, answeredElsewhere
    case notFound, unavailable, forbidden, incompatible, congestion, timedOut
    /// The server gave a cause that is not in the table. The end keeps its name.
    case failed

    // Decided here.
    /// We hung up.
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
