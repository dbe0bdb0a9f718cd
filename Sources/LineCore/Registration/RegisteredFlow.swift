import Base
import SIPCore

/// One of the flows over which the account's server reaches us, from its first REGISTER until it is given up
/// (RFC 5626 §4.2). Each lives and dies by itself.
///
///     asking ──2xx──► registered ──refresh, death──► asking …
///        └──failure──► pausing ──► asking …
package struct RegisteredFlow: Equatable, Sendable {
    /// Its reg-id, from 1.
    package typealias Number = UInt32

    enum Phase: Equatable, Sendable {
        /// REGISTER is out, or on its way.
        case asking
        case registered
        /// Another attempt is due.
        case pausing
        /// Expires: 0 is out.
        case leaving
    }

    let number: Number
    var phase = Phase.asking
    /// Attempts in a row that failed.
    var failures = 0
    /// Where the server was told that we are; nil while that is looked for.
    var flow: Flow?
    /// Since when it knows us there; nil once that flow is broken.
    var since: Instant?
    /// Lives in a row that broke as soon as we were registered.
    var shortLives = 0
    /// The way that requests over it take (RFC 3608).
    var serviceRoutes: [NameAddress] = []

    init(_ number: Number) { self.number = number }

    /// Where the server knows us, as far as we know.
    var living: Flow? { since == nil ? nil : flow }

    /// The place that it holds, or tries to get. Who pauses leaves it to others.
    var place: Flow? { phase == .pausing ? nil : flow }
}
