import Base
import SIPCore

/// Locates hops (RFC 3263): runs the searches, keeps the requests that wait for them, and remembers answers and flows.
///
/// A search ends with the output `locate`, and what its owner finds goes to `located`. On the way there the output
/// `lookUp` asks a name server, and the answer goes to `lookedUp`. A numeric hop, or one whose answers are kept, needs
/// no name server. Bounded: searches, kept answers, waiting requests and their time.
package struct Routing: Sendable {
    /// The most hops that are searched for at once. A line never needs so many.
    package static let searchLimit = 16
    /// The most answers of name servers that are kept.
    private static let answerLimit = 128
    /// The most lists, failures and servers without streams. The oldest are forgotten.
    private static let flowLimit = 16
    /// For how long a flow that failed is tried last. RFC 3263 §4.3 leaves this time to us.
    private static let avoidance: Duration = .seconds(300)

    private struct Kept: Sendable {
        let answer: DNSAnswer
        let until: Instant
    }

    /// Every flow to the account's server, best first, from its last search.
    package private(set) var home: [Flow] = []
    private let transports: Set<Flow.Transport>
    /// The searches that are under way, in the order in which they began.
    private var searches: [HopSearch] = []
    /// Questions without an answer so far. Searches with the same question share its answer.
    private var asked: Set<DNSQuestion> = []
    private var answers: [DNSQuestion: Kept] = [:]
    private var waiting: [Waiting] = []
    /// When requests have waited too long for their hop.
    private var timers = DeadlineTable<NextHop>()
    /// The flows to hops that have several, in the order in which to try them.
    private var lists: [(hop: NextHop, flows: [Flow])] = []
    private var failures: [(flow: Flow, until: Instant)] = []
    /// Servers that refused a stream that a long request had tried (RFC 3261 §18.1.1).
    private var withoutStreams: [Flow.Endpoint] = []

    /// - Parameter transports: Those that the line uses.
    package init(transports: Set<Flow.Transport>) { self.transports = transports }

    package var count: Int { waiting.count }
    package var deadline: Instant? { timers.earliest }

    // MARK: Searching

    /// Locates a hop. Requests for the same hop share one search.
    /// - Parameter matter: The request that waits for it. Nil: the caller itself waits.
    /// - Returns: Nil if too many requests wait.
    package mutating func search(
        _ hop: NextHop, for matter: Waiting.Matter?, using generator: inout some RandomNumberGenerator, at now: Instant
    ) -> [LineOutput]? {
        if let matter {
            guard waiting.count < LineMachine.waitingLimit else { return nil }
            let isNew = !waiting.contains { $0.hop == hop }
            waiting.append(Waiting(hop: hop, matter: matter))
            guard isNew else { return [] }
            timers.set(hop, at: now + LineMachine.locating)
        }
        guard !searches.contains(where: { $0.hop == hop }) else { return [] }
        guard searches.count < Self.searchLimit else { return [.locate(hop, [])] }
        searches.append(HopSearch(hop, transports: transports))
        return proceed(using: &generator, at: now)
    }

    /// Takes the answer to `lookUp`.
    package mutating func lookedUp(
        _ question: DNSQuestion, _ response: DNSResponse, using generator: inout some RandomNumberGenerator,
        at now: Instant
    ) -> [LineOutput] {
        guard asked.remove(question) != nil else { return [] }
        keep(response, for: question, at: now)
        for index in searches.indices where searches[index].question == question {
            searches[index].receive(response.answer, using: &generator)
        }
        return proceed(using: &generator, at: now)
    }

    /// Hops that were not located in time. The caller passes each of them to `located` without flows. The next search
    /// for such a hop starts from the beginning.
    package mutating func overdue(at now: Instant) -> [NextHop] {
        var hops: [NextHop] = []
        while let hop = timers.popDue(at: now) { hops.append(hop) }
        searches.removeAll { hops.contains($0.hop) }
        return hops
    }

    /// Drops the kept answers of name servers, because another network may give others.
    package mutating func forgetAnswers() { answers = [:] }

    /// Takes each search as far as the kept answers allow.
    private mutating func proceed(using generator: inout some RandomNumberGenerator, at now: Instant) -> [LineOutput] {
        var outputs: [LineOutput] = []
        for index in searches.indices {
            while let question = searches[index].question, let kept = answers[question], kept.until > now {
                searches[index].receive(kept.answer, using: &generator)
            }
            if let question = searches[index].question {
                if asked.insert(question).inserted { outputs.append(.lookUp(question)) }
            } else {
                outputs.append(.locate(searches[index].hop, searches[index].targets))
            }
        }
        searches.removeAll { $0.question == nil }
        return outputs
    }

    private mutating func keep(_ response: DNSResponse, for question: DNSQuestion, at now: Instant) {
        guard response.timeToLive > 0 else { return }
        if answers.count >= Self.answerLimit { answers = answers.filter { $0.value.until > now } }
        guard answers.count < Self.answerLimit else { return }
        answers[question] = Kept(answer: response.answer, until: now + .seconds(Int64(response.timeToLive)))
    }

    // MARK: Located hops

    /// Handles a located hop, or one without a flow.
    ///
    /// Flows on which we are registered come first, flows that failed recently last. If all of them failed, the known
    /// alternatives to the first one come before them.
    /// - Parameters:
    /// - known: Flows on which we are registered, which are tried first.
    ///   - isHome: Whether it is the hop of the account's server.
    /// - Returns: The flows in the order in which to try them, and the requests that waited for them.
    package mutating func located(
        _ hop: NextHop, _ found: [Flow], preferring known: [Flow], isHome: Bool, at now: Instant
    ) -> (flows: [Flow], ready: [Waiting.Matter]) {
        timers.cancel(hop)
        failures.removeAll { $0.until <= now }
        let good = found.filter { !hasFailed($0) }
        let preferred = known.compactMap { known in
            good.first { $0.transport == known.transport && $0.remote == known.remote }
        }
        let ordered = preferred + good.filter { !preferred.contains($0) } + found.filter(hasFailed)
        lists.removeAll { $0.hop == hop }
        if ordered.count > 1 { lists = (lists + [(hop, ordered)]).suffix(Self.flowLimit) }
        let flows = good.isEmpty ? (ordered.first.map(beside) ?? []) + ordered : ordered
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
    package mutating func forget() { (lists, failures, withoutStreams) = ([], [], []) }

    /// The flow led nowhere, and is tried last for a while.
    package mutating func failed(_ flow: Flow, at now: Instant) {
        failures.removeAll { $0.flow == flow }
        failures = (failures + [(flow, now + Self.avoidance)]).suffix(Self.flowLimit)
    }

    /// Flows to the same hop as this one that have not failed recently.
    package func beside(_ flow: Flow) -> [Flow] {
        (lists.last { $0.flows.contains(flow) }?.flows ?? []).filter { $0 != flow && !hasFailed($0) }
    }

    private func hasFailed(_ flow: Flow) -> Bool { failures.contains { $0.flow == flow } }

    package func mayStream(to server: Flow.Endpoint) -> Bool { !withoutStreams.contains(server) }

    package mutating func refusedStream(_ server: Flow.Endpoint) {
        guard mayStream(to: server) else { return }
        withoutStreams = (withoutStreams + [server]).suffix(Self.flowLimit)
    }
}
