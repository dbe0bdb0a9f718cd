import Base
import SIPCore

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
