import Base
import SIPCore

/// Locates hops, and keeps the requests that wait for them (RFC 3263). The number of waiting requests and their waiting
/// time are bounded.
package struct Routing: Sendable {
    /// Every flow to the account's server, best first, from its last search.
    package private(set) var home: [Flow] = []
    private var cache = RouteCache()
    private var waiting: [Waiting] = []
    /// Searches that are under way.
    private var timers = DeadlineTable<NextHop>()

    package enum Search: Equatable, Sendable {
        /// The number of waiting requests is at its limit.
        case full
        /// Another request already waits for the same hop.
        case joined
        /// The owner must locate the hop.
        case begun
    }

    package init() {}

    package var count: Int { waiting.count }
    package var deadline: Instant? { timers.earliest }

    /// Lets a request wait for its hop.
    package mutating func search(_ hop: NextHop, for matter: Waiting.Matter, at now: Instant) -> Search {
        guard waiting.count < LineMachine.waitingLimit else { return .full }
        let isNew = !waiting.contains { $0.hop == hop }
        waiting.append(Waiting(hop: hop, matter: matter))
        guard isNew else { return .joined }
        timers.set(hop, at: now + LineMachine.locating)
        return .begun
    }

    /// Hops that were not located in time. The caller passes each of them to `located` without flows.
    package mutating func overdue(at now: Instant) -> [NextHop] {
        var hops: [NextHop] = []
        while let hop = timers.popDue(at: now) { hops.append(hop) }
        return hops
    }

    /// Handles a located hop, or one without a flow.
    /// - Parameters:
    /// - known: Flows on which we are registered, which are tried first.
    ///   - isHome: Whether it is the hop of the account's server.
    /// - Returns: The flows in the order in which to try them, and the requests that waited for them.
    package mutating func located(
        _ hop: NextHop, _ found: [Flow], preferring known: [Flow], isHome: Bool, at now: Instant
    ) -> (flows: [Flow], ready: [Waiting.Matter]) {
        timers.cancel(hop)
        let flows = cache.learn(found, to: hop, preferring: known, at: now)
        if isHome, !flows.isEmpty { home = flows }
        let ready = waiting.filter { $0.hop == hop }.map(\.matter)
        waiting.removeAll { $0.hop == hop }
        return (flows, ready)
    }

    package func searches(for hop: NextHop) -> Bool { timers[hop] != nil }

    package func waits(_ matches: (Waiting.Matter) -> Bool) -> Bool { waiting.contains { matches($0.matter) } }

    package mutating func giveUp(_ matches: (Waiting.Matter) -> Bool) { waiting.removeAll { matches($0.matter) } }

    // MARK: Known flows

    /// Forgets all flows, because another network has other flows.
    package mutating func forget() { cache = RouteCache() }

    package mutating func failed(_ flow: Flow, at now: Instant) { cache.failed(flow, at: now) }

    /// Flows to the same hop as this one that have not failed recently.
    package func beside(_ flow: Flow) -> [Flow] { cache.beside(flow) }

    package func mayStream(to server: Flow.Endpoint) -> Bool { cache.mayStream(to: server) }

    package mutating func refusedStream(_ server: Flow.Endpoint) { cache.refusedStream(server) }
}
