import Base
import ICECore
import SIPCore

/// Our registration at the account's server, from the first REGISTER until the line has left (RFC 3261 §10.2, RFC
/// 5626).
///
/// The server knows us as long as one flow lives. Without a flow, the line does not try to register.
package struct Registration: Sendable {
    private enum Timer: Hashable, Sendable {
        /// Register a flow, or renew its registration.
        case register(RegisteredFlow.Number)
        /// The server takes too long to remove our bindings.
        case leaving
    }

    /// The longest time to ask for a registration, in seconds.
    static let longestExpires: UInt32 = 86_400
    private static let hurries = 4
    /// A flow that breaks sooner than this after registering counts as a failure.
    private static let shortLife: Duration = .seconds(30)

    private var flows = RegisteredFlows()
    private var keepAlives = FlowKeepAlives()
    private var registrant: Registrant
    private var timers = DeadlineTable<Timer>()
    /// The credentials that the line takes once it has left.
    private var successor: AccountCredentials?
    /// The last reported state.
    private var told: RegistrationState?
    /// Whether the line must stay unreachable until `reconnect` or other credentials.
    private var isDisconnected = false
    private var isShutDown = false

    package init(_ registrant: Registrant) { self.registrant = registrant }

    package var deadline: Instant? { [timers.earliest, keepAlives.deadline].compactMap(\.self).min() }
    /// The flows over which the server knows us. Our requests take the first one.
    package var living: [Flow] { flows.living }
    package var isLeaving: Bool { flows.isLeaving }

    package func mayTake(_ flow: Flow, _ number: RegisteredFlow.Number) -> Bool { flows.mayTake(flow, number) }

    package func serviceRoutes(over flow: Flow) -> [NameAddress] { flows.serviceRoutes(over: flow) }

    /// The CSeq for a request that is sent again after a challenge.
    package mutating func nextSequence() -> UInt32 { registrant.nextSequence() }

    package mutating func deadlineReached(in context: inout LineContext, at now: Instant) -> [Effect] {
        let kept = keepAlives.deadlineReached(at: now, using: &context.generator)
        var effects = handle(kept, in: &context, at: now)
        while let timer = timers.popDue(at: now) {
            switch timer {
            // Hurried attempts are not reported one by one.
            case .register(let number) where flows[number]?.isHurried == true: effects += ask(number)
            case .register(let number): effects += register(number, in: context)
            case .leaving: effects += stopLeaving()
            }
        }
        return effects
    }

    // MARK: Registering

    package mutating func start(in context: LineContext) -> [Effect] {
        guard flows.all.isEmpty, let number = flows.vacancy, !isShutDown, !isDisconnected else { return [] }
        guard let account = context.configuration.account else { return tell(.notNeeded) }
        let told = account.registers ? [] : tell(.notNeeded)
        flows[number] = RegisteredFlow(number)
        return told + register(number, in: context)
    }

    /// Starts an attempt at once, in place of anything that is under way, and reports it from the beginning.
    package mutating func reconnect(in context: LineContext) -> [Effect] {
        guard !isShutDown else { return [] }
        let wasDisconnected = isDisconnected
        isDisconnected = false
        // An attempt follows as soon as the server has answered.
        guard !isLeaving else { return wasDisconnected ? tell(.registering) : [] }
        // RFC 3261 §10.2 allows one attempt at a time. The server may still receive the old request, but we do not
        // retransmit it.
        let forgotten = flows.all.flatMap { forget($0.number) }
        told = nil
        return forgotten + [.forgetRoutes] + start(in: context)
    }

    /// Registers every flow again without a pause, because the network has a route again, or our address changed.
    /// Earlier requests and flows may belong to the former route. This is not reported: while the network comes and
    /// goes, people see only once why the line is not registered.
    package mutating func networkChanged() -> [Effect] {
        guard !isShutDown, !isLeaving else { return [] }
        return [.forgetRoutes]
            + flows.all.flatMap { known in
                timers.cancel(.register(known.number))
                flows[known.number]?.failures = 0
                flows[known.number]?.hurries = Self.hurries
                return [.abandon(known.number)] + ask(known.number)
            }
    }

    private mutating func register(_ number: RegisteredFlow.Number, in context: LineContext) -> [Effect] {
        let isTold = context.configuration.account?.registers == true && flows[number] != nil && told != .registered
        return (isTold && !isShutDown ? tell(.registering) : []) + ask(number)
    }

    /// Locates the server and registers there, without a report.
    private mutating func ask(_ number: RegisteredFlow.Number) -> [Effect] {
        guard flows[number] != nil, !isShutDown else { return [] }
        flows[number]?.phase = .asking
        return [.locate(number)]
    }

    /// Registers over the best usable of the located flows.
    package mutating func register(
        _ number: RegisteredFlow.Number, by found: [Flow], in context: LineContext
    ) -> [Effect] {
        guard flows[number]?.phase == .asking else { return [] }
        let free = found.first { flows.mayTake($0, number) }
        // A flow that DNS no longer names is used as long as it answers.
        guard let flow = free ?? flows[number]?.living else { return forget(number) }
        return register(number, over: flow, in: context)
    }

    package mutating func register(
        _ number: RegisteredFlow.Number, over flow: Flow, in context: LineContext
    ) -> [Effect] {
        guard let account = context.configuration.account, var known = flows[number], known.phase == .asking else {
            return []
        }
        // A line that does not register still needs its server's address, to recognise its calls.
        guard account.registers else { return forget(number) }
        if known.flow != flow { known.since = nil }
        known.flow = flow
        flows[number] = known
        let expires = min(max(account.expires, registrant.minimumExpires), Self.longestExpires)
        let request = registrant.request(account, number, over: flow, expires: expires, in: context)
        return [.register(request, number, over: flow)]
    }

    /// Gives up a flow: its requests, its keep-alives and its timer.
    private mutating func forget(_ number: RegisteredFlow.Number) -> [Effect] {
        timers.cancel(.register(number))
        keepAlives.stop(number)
        flows[number] = nil
        return [.abandon(number)]
    }

    // MARK: Answers

    /// - Parameter home: Every known flow to the account's server.
    package mutating func accepted(
        _ number: RegisteredFlow.Number, _ response: SIPResponse, home: [Flow], in context: inout LineContext,
        at now: Instant
    ) -> [Effect] {
        guard var known = flows[number], known.phase == .asking, let flow = known.flow,
            let account = context.configuration.account
        else { return [] }
        let isOutbound = registrant.isOutbound(response, account)
        guard isOutbound || flows.isAlone(number) else { return replaced(by: number, in: &context, at: now) }
        let binding = registrant.binding(in: response, account, number, over: flow, in: context)
        let granted = registrant.granted(in: response, to: binding, account)
        (known.phase, known.failures, known.since) = (.registered, 0, now)
        known.serviceRoutes = (try? response.headers.serviceRoutes) ?? []
        flows[number] = known
        context.isOutbound = isOutbound
        context.gruu = account.asksForGRUU ? binding?.publicGRUU : nil
        timers.set(.register(number), at: now + context.refreshPause(of: granted, over: flow))
        // Only a registered flow needs keep-alives.
        keepAlives.keep(number, over: flow, as: response, at: now, using: &context.generator)
        let told = tell(.registered)
        guard !isOutbound else { return told + addFlow(home: home, in: context) }
        return told + flows.others(than: number).flatMap { forget($0.number) }
    }

    /// Adds one more flow if the server has another place for it. Called only if the server supports several flows.
    private mutating func addFlow(home: [Flow], in context: LineContext) -> [Effect] {
        guard let number = flows.vacancy, home.contains(where: { flows.mayTake($0, number) }) else { return [] }
        flows[number] = RegisteredFlow(number)
        return register(number, in: context)
    }

    /// Handles a place that does not support several flows: its binding may have overwritten that of the living flow.
    /// The living flow registers again, and this one pauses for a while.
    private mutating func replaced(
        by number: RegisteredFlow.Number, in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        var effects = failed(number, "the server does not support several connections", in: &context, at: now)
        for other in flows.all where other.phase == .registered { effects += register(other.number, in: context) }
        return effects
    }

    /// - Parameter fault: Why the line does not follow the response.
    package mutating func rejected(
        _ number: RegisteredFlow.Number, _ response: SIPResponse, because fault: String?,
        in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        if response.status == .intervalTooBrief, let account = context.configuration.account,
            let least = try? response.headers.minExpires, least <= Self.longestExpires,
            least > max(account.expires, registrant.minimumExpires)
        {
            registrant.minimumExpires = least
            return register(number, in: context)
        }
        // While another flow lives, a first hop without outbound support is an ordinary failure of this flow.
        if response.status == .firstHopLacksOutbound, registrant.asksForOutbound, flows.isAlone(number) {
            registrant.asksForOutbound = false
            return register(number, in: context)
        }
        let why = fault ?? "the server says \(response.status.code) \(response.phrase.shown(bytes: 128))"
        return failed(number, why, RegistrationFailure(response), in: &context, at: now)
    }

    /// Schedules another attempt, because the server was not reached. If the network has just changed, the rest of the
    /// path or the server may come up a moment after this machine's interface. So the first attempts are repeated soon.
    package mutating func unreachable(
        _ number: RegisteredFlow.Number, _ why: String, isFound: Bool = true, in context: inout LineContext,
        at now: Instant
    ) -> [Effect] {
        let effects = failed(number, why, isFound ? .silence : .unfound, in: &context, at: now)
        guard let known = flows[number], known.phase == .pausing, known.hurries > 0 else { return effects }
        flows[number]?.hurries -= 1
        flows[number]?.failures = 0
        timers.set(.register(number), at: now + context.backoff(from: LineContext.firstHurriedRetry, after: 0))
        return effects
    }

    /// Schedules another attempt. The pauses grow, and they are longer while another flow lives (RFC 5626 §4.5).
    package mutating func failed(
        _ number: RegisteredFlow.Number, _ why: String, _ failure: RegistrationFailure = .silence,
        in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        guard var known = flows[number], known.phase == .asking else { return [] }
        (known.phase, known.since) = (.pausing, nil)
        let pause = context.retryPause(after: known.failures, failure, isAlone: flows.isAlone(number))
        known.failures += 1
        flows[number] = known
        timers.set(.register(number), at: now + pause)
        let moved: [Effect] = known.flow.map { [.moved(from: $0)] } ?? []
        // If another flow lives, the account is registered. A flow that is registering will report its own result.
        let hopes = flows.all.contains { $0.living != nil || $0.phase == .asking }
        return moved + (context.configuration.account?.registers == true && !hopes ? tell(.failed(why)) : [])
    }

    private mutating func tell(_ state: RegistrationState) -> [Effect] {
        guard told != state else { return [] }
        told = state
        return [.state(state)]
    }

    // MARK: Keeping flows (RFC 5626 §4.4)

    private mutating func handle(
        _ effects: [FlowKeepAlives.Effect], in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        effects.flatMap { effect -> [Effect] in
            switch effect {
            case .send(let bytes, let flow): [.keepAlive(bytes, over: flow)]
            case .sendOptions(let number, let flow):
                context.inquiry(over: flow).map { [.options($0, number, over: flow)] } ?? []
            case .died(let number, let flow): died(number, flow, in: &context, at: now)
            }
        }
    }

    /// Handles a CRLF that came over a stream.
    package mutating func heardCRLF(over flow: Flow, in context: inout LineContext, at now: Instant) {
        keepAlives.heardCRLF(over: flow, at: now, using: &context.generator)
    }

    /// - Returns: Nil if the message answers none of our requests.
    package mutating func heard(
        _ message: STUNMessage, over flow: Flow, in context: inout LineContext, at now: Instant
    ) -> [Effect]? {
        keepAlives.heard(message, over: flow, at: now, using: &context.generator)
            .map { handle($0, in: &context, at: now) }
    }

    package mutating func heardOptions(
        _ number: RegisteredFlow.Number, _ response: SIPResponse, in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        let effects = keepAlives.heardOptions(number, response, at: now, using: &context.generator)
        return handle(effects, in: &context, at: now)
    }

    // MARK: Death of a flow

    /// Opens a broken connection to the server again.
    package mutating func broke(_ flow: Flow, in context: inout LineContext, at now: Instant) -> [Effect] {
        guard flow.transport.isReliable,
            let number = flows.all.first(where: { $0.flow == flow && $0.phase == .registered })?.number
        else { return [] }
        keepAlives.stop(number)
        return registerAgain(number, in: &context, at: now)
    }

    private mutating func died(
        _ number: RegisteredFlow.Number, _ flow: Flow, in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        guard let known = flows[number], known.phase == .registered, known.flow == flow else { return [.died(flow)] }
        return [.died(flow)] + registerAgain(number, in: &context, at: now)
    }

    /// Registers again at once. If a server repeatedly accepts us and then drops us, the pauses grow (RFC 5626 §4.5).
    private mutating func registerAgain(
        _ number: RegisteredFlow.Number, in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        // A flow that is already broken does not count again.
        guard var known = flows[number], let since = known.since else { return [] }
        known.since = nil
        known.shortLives = now - since < Self.shortLife ? known.shortLives + 1 : 0
        flows[number] = known
        // After a long enough life the short pause is random, so that the phones of one building spread out.
        let pause =
            known.shortLives == 0
            ? .milliseconds(Int64.random(in: 250...500, using: &context.generator))
            : context.backoff(from: LineContext.firstAfterShortLife, after: known.shortLives)
        timers.set(.register(number), at: now + pause)
        return known.flow.map { [.moved(from: $0)] } ?? []
    }

    // MARK: Leaving

    /// Removes all our bindings, for good.
    package mutating func shutDown(in context: LineContext) -> [Effect] {
        isShutDown = true
        return unregister(in: context)
    }

    /// Leaves with the current credentials, then registers with other ones.
    package mutating func reconfigure(
        _ credentials: AccountCredentials, in context: LineContext, at now: Instant
    ) -> [Effect] {
        guard !isShutDown else { return [] }
        isDisconnected = false
        successor = credentials
        // The line is already leaving. It will take the last credentials.
        guard !isLeaving else { return [] }
        let abandoned = flows.all.map { Effect.abandon($0.number) }
        told = nil
        let told = context.configuration.account?.registers == true ? tell(.registering) : []
        let unregistered = unregister(in: context)
        if isLeaving { timers.set(.leaving, at: now + LineMachine.leaving) }
        return abandoned + told + unregistered
    }

    /// Removes all our bindings, and does not register before `reconnect`. Does nothing for a line that never
    /// registers.
    package mutating func disconnect(in context: inout LineContext, at now: Instant) -> [Effect] {
        guard !isShutDown, !isDisconnected, context.configuration.account?.registers == true else { return [] }
        isDisconnected = true
        (context.gruu, context.isOutbound) = (nil, false)
        let abandoned = isLeaving ? [] : flows.all.map { Effect.abandon($0.number) }
        let unregistered = unregister(in: context)
        if isLeaving { timers.set(.leaving, at: now + LineMachine.leaving) }
        return abandoned + tell(.disconnected) + unregistered
    }

    private mutating func unregister(in context: LineContext) -> [Effect] {
        guard !isLeaving else { return [] }
        var effects: [Effect] = []
        for known in flows.all {
            guard let account = context.configuration.account, let flow = known.flow else {
                effects += forget(known.number)
                continue
            }
            timers.cancel(.register(known.number))
            keepAlives.stop(known.number)
            flows[known.number]?.phase = .leaving
            let request = registrant.request(account, known.number, over: flow, expires: 0, in: context)
            effects.append(.unregister(request, known.number, over: flow))
        }
        return effects + (flows.all.isEmpty ? left() : [])
    }

    /// Handles the removal of this flow's binding, or the final failure of the request for it.
    package mutating func unregistered(_ number: RegisteredFlow.Number) -> [Effect] {
        guard flows[number]?.phase == .leaving else { return [] }
        flows[number] = nil
        return flows.all.isEmpty ? left() : []
    }

    private mutating func stopLeaving() -> [Effect] {
        flows.all.flatMap { [.abandonLeaving($0.number)] + unregistered($0.number) }
    }

    private mutating func left() -> [Effect] {
        timers.cancel(.leaving)
        guard !isShutDown, successor != nil || !isDisconnected else { return [] }
        defer { successor = nil }
        return [.left(successor)]
    }

    /// Starts with a new identity, which the server does not know yet.
    package mutating func become(_ registrant: Registrant, in context: inout LineContext) -> [Effect] {
        (context.gruu, context.isOutbound) = (nil, false)
        self.registrant = registrant
        return start(in: context)
    }
}
