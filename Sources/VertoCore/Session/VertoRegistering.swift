import Base

/// The wait for the server's gateway.
struct VertoRegistering: Equatable, Sendable {
    /// When it is asked. Nil: an answer is awaited.
    var askAt: Instant?
    var tries = 0
    /// What it said last.
    var last = VertoGatewayState.unknown
}
