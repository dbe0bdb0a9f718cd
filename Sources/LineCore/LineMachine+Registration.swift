import Base
import SIPCore

extension LineMachine {
    /// The longest that a registration may be asked to last.
    private static let longestExpires: UInt32 = 86_400
    /// A flow that breaks sooner than this after registering was none.
    private static let shortLife: Duration = .seconds(30)

    mutating func startRegistration(at now: Instant) {
        guard registration.phase == .off, !isShuttingDown else { return }
        guard let account = configuration.account else { return tell(.notNeeded) }
        if !account.registers { tell(.notNeeded) }
        register(at: now)
    }

    /// An attempt at once, in place of whatever is under way, told from the beginning.
    mutating func reconnect(at now: Instant) {
        // Behind the leaving comes another attempt anyway, or nothing.
        guard !isShuttingDown, !registration.isLeaving else { return }
        timers.cancel(.register)
        // One attempt at a time (RFC 3261 §10.2): the server may still hear the old one, but not again and again.
        abandon(.register)
        stopKeeping()
        // Another network has other ways.
        ways = Ways()
        registration.phase = .off
        registration.since = nil
        registration.failures = 0
        registration.shortLives = 0
        registration.told = nil
        startRegistration(at: now)
    }

    mutating func register(at now: Instant) {
        guard let account = configuration.account, !isShuttingDown else { return }
        registration.phase = .asking
        if account.registers, registration.told != .registered { tell(.registering) }
        // An attempt that still looks for its way will find the one there is.
        guard !waiting.contains(where: \.matter.isRegister) else { return }
        send(.register, to: account.server, at: now)
    }

    /// The way to the server is known.
    mutating func register(over flow: Flow, at now: Instant) {
        guard let account = configuration.account, registration.phase == .asking else { return }
        // A line that does not register needs its server's address all the same: to know who may call.
        guard account.registers else {
            registration.phase = .off
            return
        }
        registration.flow = flow
        let expires = min(max(account.expires, registration.minimumExpires), Self.longestExpires)
        send(registerRequest(account, over: flow, expires: expires), .register, over: flow, at: now)
    }

    private mutating func registerRequest(
        _ account: LineConfiguration.Account, over flow: Flow, expires: UInt32
    ) -> SIPRequest {
        registration.sequence += 1
        let own = URI.sip(SIPURI(user: configuration.user, host: account.domain))
        var request = SIPRequest(
            .register, .sip(SIPURI(host: account.domain)),
            from: NameAddress(own, displayName: configuration.displayName, tag: registration.tag),
            to: NameAddress(own), callID: registration.callID, sequence: registration.sequence)
        var contact = binding(on: flow)
        contact.instance = account.instance
        if registration.asksForOutbound, account.instance != nil { contact.registrationID = 1 }
        request.headers.set(.supported, tokens: extensions(account))
        request.headers.set(.contact, contact)
        request.headers.set(.expires, SIPNumber(expires))
        request.headers.set(.allow, tokens: Self.allowed.map(\.name))
        request.headers[.userAgent] = configuration.userAgent
        return request
    }

    mutating func registered(_ response: SIPResponse, over flow: Flow, at now: Instant) {
        guard registration.phase == .asking, let own = registration.flow, let account = configuration.account else {
            return
        }
        let bound = bound(response, over: own, account)
        let granted = bound?.expires ?? ((try? response.headers.expires) ?? nil) ?? account.expires
        registration.phase = .registered
        registration.failures = 0
        registration.since = now
        registration.isOutbound = response.saysOutbound && account.instance != nil
        registration.serviceRoutes = (try? response.headers.serviceRoutes) ?? []
        registration.gruu = account.asksForGRUU ? bound?.publicGRUU : nil
        timers.set(.register, at: now + refreshPause(of: granted))
        keep(own, as: response, at: now)
        tell(.registered)
    }

    /// At least a quarter is left for attempts that get lost, and two phones that began together do not stay together.
    private mutating func refreshPause(of granted: UInt32) -> Duration {
        let part = Double.random(in: 0.65...0.75, using: &generator)
        return .milliseconds(Int64(max(5, Double(min(granted, Self.longestExpires)) * part) * 1_000))
    }

    /// Our binding among all that the account has (RFC 3261 §10.2.4): by its address, or by our name where a proxy changed
    /// the address.
    private func bound(_ response: SIPResponse, over flow: Flow, _ account: LineConfiguration.Account) -> NameAddress? {
        let contacts = (try? response.headers.contacts) ?? []
        let own = binding(on: flow)
        return contacts.first { $0.uri.isEquivalent(to: own.uri) }
            ?? contacts.first { $0.instance != nil && $0.instance == account.instance }
    }

    private func extensions(_ account: LineConfiguration.Account) -> [String] {
        guard account.instance != nil else { return ["path"] }
        return ["path"] + (registration.asksForOutbound ? ["outbound"] : []) + (account.asksForGRUU ? ["gruu"] : [])
    }

    mutating func registrationRejected(_ response: SIPResponse, at now: Instant) {
        if response.status == .intervalTooBrief, let account = configuration.account,
            let least = try? response.headers.minExpires, least <= Self.longestExpires,
            least > max(account.expires, registration.minimumExpires)
        {
            registration.minimumExpires = least
            return register(at: now)
        }
        if response.status == .firstHopLacksOutbound, registration.asksForOutbound {
            registration.asksForOutbound = false
            return register(at: now)
        }
        registrationFailed("the server says \(response.status.code) \(response.phrase)", at: now)
    }

    /// Tries again, later and later.
    mutating func registrationFailed(_ why: String, at now: Instant) {
        guard registration.phase == .asking else { return }
        registration.phase = .pausing
        registration.since = nil
        timers.set(.register, at: now + backoff(from: 30, after: registration.failures))
        registration.failures += 1
        if configuration.account?.registers == true { tell(.failed(why)) }
    }

    /// The connection on which the server reaches us is gone: it is made again.
    mutating func renewRegistration(over flow: Flow, at now: Instant) {
        guard registration.phase == .registered, registration.flow == flow, flow.transport.isReliable else { return }
        stopKeeping()
        registerAgain(at: now)
    }

    /// At once; but a server that takes us and drops us in a circle is asked more and more seldom (RFC 5626 §4.5).
    mutating func registerAgain(at now: Instant) {
        // Broken twice is broken once.
        guard let since = registration.since else { return }
        registration.since = nil
        registration.shortLives = now - since < Self.shortLife ? registration.shortLives + 1 : 0
        let lives = registration.shortLives
        // After a life that was long enough, not all phones of a house in the same instant.
        let pause =
            lives == 0 ? .milliseconds(Int64.random(in: 250...500, using: &generator)) : backoff(from: 2, after: lives)
        timers.set(.register, at: now + pause)
    }

    // MARK: Leaving

    mutating func unregister(at now: Instant) {
        timers.cancel(.register)
        stopKeeping()
        guard !registration.isLeaving else { return }
        guard let account = configuration.account, let flow = registration.flow, registration.phase != .off else {
            return unregistered(at: now)
        }
        registration.phase = .leaving
        send(registerRequest(account, over: flow, expires: 0), .unregister, over: flow, at: now)
    }

    /// The server has forgotten us, or never will be told.
    mutating func unregistered(at now: Instant) {
        timers.cancel(.leaving)
        registration.phase = .off
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
        abandon(.register)
        registration.told = nil
        if configuration.account?.registers == true { tell(.registering) }
        unregister(at: now)
        if registration.isLeaving { timers.set(.leaving, at: now + Self.leaving) }
    }

    mutating func stopLeaving(at now: Instant) {
        abandon(.unregister)
        unregistered(at: now)
    }

    private mutating func tell(_ state: LineRegistration) {
        guard registration.told != state else { return }
        registration.told = state
        outputs.append(.registration(state))
    }
}

extension SIPStatus {
    /// A proxy on the way does not keep flows (RFC 5626 §11.6).
    fileprivate static let firstHopLacksOutbound = SIPStatus(439)
}
