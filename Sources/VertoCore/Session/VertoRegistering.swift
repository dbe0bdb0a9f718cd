import Base

/// The wait for the server's gateway to register the account.
struct VertoRegistering: Equatable, Sendable {
    /// When to query it. Nil: a query is outstanding.
    var askAt: Instant?
    var tries = 0
    /// Its last reported state.
    var last = VertoGatewayState.unknown
}
