import Base
import SIPCore

/// Finds the ways to hops, and keeps what waits for them (RFC 3263). Bounded: so many matters wait, and each of them so long.
package struct Routing: Sendable {
    /// Where the account's server was found last: every way to it, the best one first.
    package private(set) var home: [Flow] = []
    private var cache = RouteCache()
    private var waiting: [Waiting] = []
    /// Searches that are under way.
    private var timers = DeadlineTable<NextHop>()

    package enum Search: Equatable, Sendable {
        /// As much waits as may.
        case full
        /// Somebody else waits for the same way.
        case joined
        /// The way is to be looked for.
        case begun
    }

    package init() {}

    package var count: Int { waiting.count }
    package var deadline: Instant? { timers.earliest }

    /// Lets something wait for the way to a hop.
    package mutating func search(_ hop: NextHop, for matter: Waiting.Matter, at now: Instant) -> Search {
        guard waiting.count < LineMachine.waitingLimit else { return .full }
        let isNew = !waiting.contains { $0.hop == hop }
        waiting.append(Waiting(hop: hop, matter: matter))
        guard isNew else { return .joined }
        timers.set(hop, at: now + LineMachine.locating)
        return .begun
    }

    /// Hops to which nobody knew the way in time; each is to be told as `located` without one.
    package mutating func overdue(at now: Instant) -> [NextHop] {
        var hops: [NextHop] = []
        while let hop = timers.popDue(at: now) { hops.append(hop) }
        return hops
    }

    /// The ways to a hop are known, or there is none.
    /// - Parameters:
    ///   - known: Flows over which the server knows us, which are tried first.
    ///   - isHome: Whether it is the hop of the account's server.
    /// - Returns: The ways in the order in which to try, and what waited for them.
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

    package func waits(_ matches: (Waiting.Matter) -> Bool) -> Bool { waiting.contains { matches($0.matter) } }

    package mutating func giveUp(_ matches: (Waiting.Matter) -> Bool) { waiting.removeAll { matches($0.matter) } }

    // MARK: What is known of ways

    /// Another network has other ways.
    package mutating func forget() { cache = RouteCache() }

    package mutating func failed(_ flow: Flow, at now: Instant) { cache.failed(flow, at: now) }

    /// Ways that lead where this one does, and have not failed lately.
    package func beside(_ flow: Flow) -> [Flow] { cache.beside(flow) }

    package func mayStream(to server: Flow.Endpoint) -> Bool { cache.mayStream(to: server) }

    package mutating func refusedStream(_ server: Flow.Endpoint) { cache.refusedStream(server) }
}
