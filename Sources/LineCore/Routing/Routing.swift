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

/// Remembers the flows to hops that have several: their order, and which of them failed recently.
///
/// Bounded: the oldest entries are forgotten.
struct RouteCache: Equatable, Sendable {
    /// For how long a flow that failed is tried last. RFC 3263 §4.3 leaves this time to us.
    static let avoidance: Duration = .seconds(300)
    private static let limit = 16

    private var lists: [(hop: NextHop, flows: [Flow])] = []
    private var failures: [(flow: Flow, until: Instant)] = []
    /// Servers that refused a stream that a long request had tried (RFC 3261 §18.1.1).
    private var withoutStreams: [Flow.Endpoint] = []

    static func == (left: RouteCache, right: RouteCache) -> Bool {
        left.lists.elementsEqual(right.lists) { $0 == $1 } && left.withoutStreams == right.withoutStreams
            && left.failures.elementsEqual(right.failures) { $0 == $1 }
    }

    /// Stores the flows to a hop, and returns them in the order in which to try them. Flows on which we are registered
    /// come first, flows that failed recently last. If all of them failed, the known alternatives to the first one come
    /// before them.
    mutating func learn(_ flows: [Flow], to hop: NextHop, preferring known: [Flow], at now: Instant) -> [Flow] {
        failures.removeAll { $0.until <= now }
        let good = flows.filter { !hasFailed($0) }
        let preferred = known.compactMap { known in
            good.first { $0.transport == known.transport && $0.remote == known.remote }
        }
        let ordered = preferred + good.filter { !preferred.contains($0) } + flows.filter(hasFailed)
        lists.removeAll { $0.hop == hop }
        if ordered.count > 1 { lists = (lists + [(hop, ordered)]).suffix(Self.limit) }
        return good.isEmpty ? (ordered.first.map(beside) ?? []) + ordered : ordered
    }

    /// Flows to the same hop as this one that have not failed recently.
    func beside(_ flow: Flow) -> [Flow] {
        (lists.last { $0.flows.contains(flow) }?.flows ?? []).filter { $0 != flow && !hasFailed($0) }
    }

    private func hasFailed(_ flow: Flow) -> Bool { failures.contains { $0.flow == flow } }

    mutating func failed(_ flow: Flow, at now: Instant) {
        failures.removeAll { $0.flow == flow }
        failures = (failures + [(flow, now + Self.avoidance)]).suffix(Self.limit)
    }

    // MARK: Streams for long requests

    func mayStream(to server: Flow.Endpoint) -> Bool { !withoutStreams.contains(server) }

    mutating func refusedStream(_ server: Flow.Endpoint) {
        guard mayStream(to: server) else { return }
        withoutStreams = (withoutStreams + [server]).suffix(Self.limit)
    }
}
