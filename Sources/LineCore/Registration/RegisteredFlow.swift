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

/// The flows over which the account's server reaches us, by their numbers (RFC 5626 §4.2).
struct RegisteredFlows: Equatable, Sendable {
    /// RFC 5626 §4.2.1 asks for two flows if they can go to two places. One phone has no use for more.
    static let limit = 2

    private(set) var all: [RegisteredFlow] = []

    subscript(number: RegisteredFlow.Number) -> RegisteredFlow? {
        get { all.first { $0.number == number } }
        set {
            all.removeAll { $0.number == number }
            if let newValue { all = (all + [newValue]).sorted { $0.number < $1.number } }
        }
    }

    /// The flows over which the server knows us. Our requests take the first one.
    var living: [Flow] { all.compactMap(\.living) }

    var isLeaving: Bool { all.contains { $0.phase == .leaving } }

    /// The number of the next flow. Nil at the limit.
    var vacancy: RegisteredFlow.Number? {
        all.count < Self.limit ? (1...).first { self[$0] == nil } : nil
    }

    func others(than number: RegisteredFlow.Number) -> [RegisteredFlow] { all.filter { $0.number != number } }

    /// Whether no other flow lives.
    func isAlone(_ number: RegisteredFlow.Number) -> Bool { others(than: number).allSatisfy { $0.living == nil } }

    /// Whether a flow may go to this place. It must lead to another host than the others, because two flows to one
    /// server die together. It must use the transport of the others, so that TLS traffic does not also go in clear.
    func mayTake(_ flow: Flow, _ number: RegisteredFlow.Number) -> Bool {
        others(than: number).compactMap(\.place).allSatisfy {
            $0.remote.address != flow.remote.address && $0.transport == flow.transport
        }
    }

    /// The route of a request that takes this flow.
    func serviceRoutes(over flow: Flow) -> [NameAddress] {
        (all.first { $0.flow?.remote == flow.remote } ?? all.first { $0.living != nil })?.serviceRoutes ?? []
    }
}
