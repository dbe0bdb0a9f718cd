import Base
import SIPCore

/// One of the flows over which the account's server reaches us, from its first REGISTER until it is given up (RFC 5626
/// §4.2). Each flow lives and fails independently of the others.
///
///     asking ──2xx──► registered ──refresh, death──► asking …
///        └──failure──► pausing ──► asking …
package struct RegisteredFlow: Equatable, Sendable {
    /// Its reg-id, from 1.
    package typealias Number = UInt32

    enum Phase: Equatable, Sendable {
        /// REGISTER was sent, or waits for its hop.
        case asking
        case registered
        /// The last attempt failed. The next one waits for its deadline.
        case pausing
        /// REGISTER with Expires: 0 was sent.
        case leaving
    }

    let number: Number
    var phase = Phase.asking
    /// Consecutive attempts that failed.
    var failures = 0
    /// How many attempts are still repeated soon, because the network has changed.
    var hurries = 0
    /// The flow over which our address was registered. Nil until the hop is located.
    var flow: Flow?
    /// When the server registered us over this flow. Nil once the flow is broken.
    var since: Instant?
    /// Consecutive times that the flow broke soon after it was registered.
    var shortLives = 0
    /// The route of requests over this flow (RFC 3608).
    var serviceRoutes: [NameAddress] = []

    init(_ number: Number) { self.number = number }

    /// Whether the next attempt comes soon, because the network has just changed.
    var isHurried: Bool { phase == .pausing && failures == 0 }

    /// The flow over which the server knows us, as far as we know.
    var living: Flow? { since == nil ? nil : flow }

    /// The place that this flow occupies, or tries to get. A flow that pauses leaves its place to others.
    var place: Flow? { phase == .pausing ? nil : flow }
}
