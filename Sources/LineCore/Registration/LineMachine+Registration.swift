import Base
import SIPCore

extension LineMachine {
    /// The longest that a registration may be asked to last.
    private static let longestExpires: UInt32 = 86_400

    mutating func startRegistration(at now: Instant) {
        guard registration.flows.isEmpty, let number = registration.vacancy, !isShuttingDown else { return }
        guard let account = configuration.account else { return tell(.notNeeded) }
        if !account.registers { tell(.notNeeded) }
        registration[number] = RegisteredFlow(number)
        register(number, at: now)
    }

    /// An attempt at once, in place of whatever is under way, told from the beginning.
    mutating func reconnect(at now: Instant) {
        // Behind the leaving comes another attempt anyway, or nothing.
        guard !isShuttingDown, !registration.isLeaving else { return }
        // One attempt at a time (RFC 3261 §10.2): the server may still hear the old one, but not again and again.
        for known in registration.flows { forgetFlow(known.number) }
        // Another network has other ways.
        ways = RouteCache()
        registration.told = nil
        startRegistration(at: now)
    }

    /// There is a way again where there was none, or it begins at another address of ours. A flow that pauses need not wait,
    /// and what was asked or is known over the former way is said again. Nothing is told of it: while the way comes and
    /// goes, people are told once why the line is not registered.
    mutating func networkChanged(at now: Instant) {
        guard !isShuttingDown, !registration.isLeaving else { return }
        ways = RouteCache()
        for known in registration.flows {
            abandon(.register(known.number))
            timers.cancel(.register(known.number))
            registration[known.number]?.failures = 0
            ask(known.number, at: now)
        }
    }

    mutating func register(_ number: RegisteredFlow.Number, at now: Instant) {
        if configuration.account?.registers == true, registration[number] != nil, !isShuttingDown,
            registration.told != .registered
        {
            tell(.registering)
        }
        ask(number, at: now)
    }

    /// Looks for the way to the server and registers by it, without a word to anybody.
    private mutating func ask(_ number: RegisteredFlow.Number, at now: Instant) {
        guard let account = configuration.account, registration[number] != nil, !isShuttingDown else { return }
        registration[number]?.phase = .asking
        // An attempt that still looks for its way will find the one there is.
        guard !waiting.contains(where: { $0.matter.registers(number) }) else { return }
        send(.register(number), to: account.server, at: now)
    }

    /// The ways to the server are known, best first.
    mutating func register(_ number: RegisteredFlow.Number, by flows: [Flow], at now: Instant) {
        guard registration[number]?.phase == .asking else { return }
        let free = flows.first { registration.mayTake($0, number) }
        // A place that the name service does not name any more serves us for as long as it answers.
        guard let flow = free ?? registration[number]?.living else { return forgetFlow(number) }
        register(number, over: flow, at: now)
    }

    mutating func register(_ number: RegisteredFlow.Number, over flow: Flow, at now: Instant) {
        guard let account = configuration.account, var known = registration[number], known.phase == .asking else {
            return
        }
        // A line that does not register needs its server's address all the same: to know who may call.
        guard account.registers else { return forgetFlow(number) }
        if known.flow != flow { known.since = nil }
        known.flow = flow
        registration[number] = known
        let expires = min(max(account.expires, registration.minimumExpires), Self.longestExpires)
        let request = registerRequest(account, number, over: flow, expires: expires)
        send(request, .register(number), over: flow, at: now)
    }

    private mutating func registerRequest(
        _ account: LineConfiguration.Account, _ number: RegisteredFlow.Number, over flow: Flow, expires: UInt32
    ) -> SIPRequest {
        registration.sequence += 1
        let own = URI.sip(SIPURI(user: configuration.user, host: account.domain))
        var request = SIPRequest(
            .register, .sip(SIPURI(host: account.domain)),
            from: NameAddress(own, displayName: configuration.displayName, tag: registration.tag),
            to: NameAddress(own), callID: registration.callID, sequence: registration.sequence)
        var contact = binding(on: flow)
        contact.instance = account.instance
        if registration.asksForOutbound, account.instance != nil { contact.registrationID = number }
        request.headers.set(.supported, tokens: extensions(account))
        request.headers.set(.contact, contact)
        request.headers.set(.expires, SIPNumber(expires))
        request.headers.set(.allow, tokens: Self.allowed.map(\.name))
        request.headers[.userAgent] = configuration.userAgent
        return request
    }

    // MARK: Answers

    mutating func registered(_ number: RegisteredFlow.Number, _ response: SIPResponse, at now: Instant) {
        guard var known = registration[number], known.phase == .asking, let own = known.flow,
            let account = configuration.account
        else { return }
        let isOutbound = response.saysOutbound && registration.asksForOutbound && account.instance != nil
        guard isOutbound || registration.isAlone(number) else { return replaced(by: number, at: now) }
        let bound = bound(response, number, over: own, account)
        let granted = bound?.expires ?? ((try? response.headers.expires) ?? nil) ?? account.expires
        (known.phase, known.failures, known.since) = (.registered, 0, now)
        known.serviceRoutes = (try? response.headers.serviceRoutes) ?? []
        registration[number] = known
        registration.isOutbound = isOutbound
        registration.gruu = account.asksForGRUU ? bound?.publicGRUU : nil
        timers.set(.register(number), at: now + refreshPause(of: granted))
        keep(number, over: own, as: response, at: now)
        tell(.registered)
        guard !isOutbound else { return addFlow(at: now) }
        for other in registration.others(than: number) { forgetFlow(other.number) }
    }

    /// At this place flows are not told apart, and what the server knew of the living one may be overwritten: that one says
    /// again where it leads, and is left alone for a while.
    private mutating func replaced(by number: RegisteredFlow.Number, at now: Instant) {
        registrationFailed(number, "the server does not tell flows apart", at: now)
        for other in registration.flows where other.phase == .registered { register(other.number, at: now) }
    }

    /// At least a quarter is left for attempts that get lost, and two phones that began together do not stay together.
    private mutating func refreshPause(of granted: UInt32) -> Duration {
        let part = Double.random(in: 0.65...0.75, using: &generator)
        return .milliseconds(Int64(max(5, Double(min(granted, Self.longestExpires)) * part) * 1_000))
    }

    /// Our binding among all that the account has (RFC 3261 §10.2.4): by the flow's name, by its address, or by our name where
    /// a proxy changed the address.
    private func bound(
        _ response: SIPResponse, _ number: RegisteredFlow.Number, over flow: Flow,
        _ account: LineConfiguration.Account
    ) -> NameAddress? {
        let contacts = (try? response.headers.contacts) ?? []
        let ours = contacts.filter { $0.instance != nil && $0.instance == account.instance }
        let own = binding(on: flow)
        return ours.first { $0.registrationID == number }
            ?? contacts.first { $0.uri.isEquivalent(to: own.uri) } ?? ours.first
    }

    private func extensions(_ account: LineConfiguration.Account) -> [String] {
        guard account.instance != nil else { return ["path"] }
        return ["path"] + (registration.asksForOutbound ? ["outbound"] : []) + (account.asksForGRUU ? ["gruu"] : [])
    }

    mutating func registrationRejected(
        _ number: RegisteredFlow.Number, _ response: SIPResponse, at now: Instant
    ) {
        if response.status == .intervalTooBrief, let account = configuration.account,
            let least = try? response.headers.minExpires, least <= Self.longestExpires,
            least > max(account.expires, registration.minimumExpires)
        {
            registration.minimumExpires = least
            return register(number, at: now)
        }
        // Where another flow is kept, one that cannot be is a failure like any other.
        if response.status == .firstHopLacksOutbound, registration.asksForOutbound, registration.isAlone(number) {
            registration.asksForOutbound = false
            return register(number, at: now)
        }
        registrationFailed(
            number, "the server says \(response.status.code) \(response.phrase.shown(bytes: 128))", at: now)
    }

    /// Tries again, later and later: more seldom while another flow lives (RFC 5626 §4.5).
    mutating func registrationFailed(_ number: RegisteredFlow.Number, _ why: String, at now: Instant) {
        guard var known = registration[number], known.phase == .asking else { return }
        (known.phase, known.since) = (.pausing, nil)
        let pause = backoff(from: registration.isAlone(number) ? 30 : 90, after: known.failures)
        known.failures += 1
        registration[number] = known
        timers.set(.register(number), at: now + pause)
        if let flow = known.flow { moveWatches(from: flow, at: now) }
        // A flow that lives is the account's, and one that asks speaks for itself.
        let hopes = registration.flows.contains { $0.living != nil || $0.phase == .asking }
        if configuration.account?.registers == true, !hopes { tell(.failed(why)) }
    }

    // MARK: Leaving

    /// Takes every binding of ours away.
    mutating func unregister(at now: Instant) {
        guard !registration.isLeaving else { return }
        for known in registration.flows {
            guard let account = configuration.account, let flow = known.flow else {
                forgetFlow(known.number)
                continue
            }
            timers.cancel(.register(known.number))
            stopKeeping(known.number)
            registration[known.number]?.phase = .leaving
            let request = registerRequest(account, known.number, over: flow, expires: 0)
            send(request, .unregister(known.number), over: flow, at: now)
        }
        if registration.flows.isEmpty { left(at: now) }
    }

    /// The server has forgotten this flow, or never will be told.
    mutating func unregistered(_ number: RegisteredFlow.Number, at now: Instant) {
        guard registration[number]?.phase == .leaving else { return }
        registration[number] = nil
        if registration.flows.isEmpty { left(at: now) }
    }

    /// The server knows nothing of us any more.
    private mutating func left(at now: Instant) {
        timers.cancel(.leaving)
        guard let successor = registration.successor, !isShuttingDown else { return }
        for leg in legs.keys where !formerDigests.keys.contains(leg) {
            formerDigests.updateValue(callDigest, forKey: leg)
        }
        configuration.user = successor.user
        configuration.displayName = successor.displayName
        configuration.account?.authUser = nil
        configuration.account?.password = successor.password
        registrarDigest = configuration.digest(hashes)
        callDigest = registrarDigest
        let told = registration.told
        registration = Registration(callID: identifiers.makeCallID(), tag: identifiers.makeTag())
        registration.told = told
        startRegistration(at: now)
    }

    /// Leaves as who we are, then registers as somebody else.
    mutating func reconfigure(_ credentials: LineCredentials, at now: Instant) {
        guard !isShuttingDown else { return }
        registration.successor = credentials
        // Leaving already: for the last one who was named.
        guard !registration.isLeaving else { return }
        for known in registration.flows { abandon(.register(known.number)) }
        registration.told = nil
        if configuration.account?.registers == true { tell(.registering) }
        unregister(at: now)
        if registration.isLeaving { timers.set(.leaving, at: now + Self.leaving) }
    }

    mutating func stopLeaving(at now: Instant) {
        for known in registration.flows {
            abandon(.unregister(known.number))
            unregistered(known.number, at: now)
        }
    }

    private mutating func tell(_ state: RegistrationState) {
        guard registration.told != state else { return }
        registration.told = state
        outputs.append(.registration(state))
    }
}

extension SIPStatus {
    /// A proxy on the way does not keep flows (RFC 5626 §11.6).
    fileprivate static let firstHopLacksOutbound = SIPStatus(439)
}
