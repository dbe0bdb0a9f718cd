import Base
import SIPCore

extension LineMachine {
    /// The longest that a registration may be asked to last.
    private static let longestExpires: UInt32 = 86_400

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
        registration.phase = .off
        registration.failures = 0
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
        var contact = contact(on: flow)
        if let instance = account.instance { contact.parameters.setQuoted("+sip.instance", "<\(instance)>") }
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
        let granted = Self.granted(response, for: contact(on: own)) ?? account.expires
        registration.phase = .registered
        registration.failures = 0
        // A quarter is left for attempts that get lost.
        timers.set(.register, at: now + .seconds(max(5, Double(min(granted, Self.longestExpires)) * 0.75)))
        tell(.registered)
    }

    /// What the server granted to our Contact: its own parameter, else the header (RFC 3261 §10.2.4).
    private static func granted(_ response: SIPResponse, for own: NameAddress) -> UInt32? {
        let contacts = (try? response.headers.contacts) ?? []
        let ours = contacts.first { $0.uri.isEquivalent(to: own.uri) }
        return ours?.parameters["expires"].flatMap { UInt32($0) } ?? ((try? response.headers.expires) ?? nil)
    }

    mutating func registrationRejected(_ response: SIPResponse, at now: Instant) {
        if response.status == .intervalTooBrief, let account = configuration.account,
            let least = try? response.headers.minExpires, least <= Self.longestExpires,
            least > max(account.expires, registration.minimumExpires)
        {
            registration.minimumExpires = least
            return register(at: now)
        }
        registrationFailed("the server says \(response.status.code) \(response.phrase)", at: now)
    }

    /// Tries again after a pause that doubles, up to half an hour, and that is not the same for two phones
    /// (RFC 5626 §4.5).
    mutating func registrationFailed(_ why: String, at now: Instant) {
        guard registration.phase == .asking else { return }
        registration.phase = .pausing
        let longest = min(1_800, 30 << min(registration.failures, 6))
        registration.failures += 1
        let pause = Double(longest) * Double.random(in: 0.5...1, using: &generator)
        timers.set(.register, at: now + .milliseconds(Int64(pause * 1_000)))
        if configuration.account?.registers == true { tell(.failed(why)) }
    }

    /// The connection on which the server reaches us is gone: it is made again, but not in a tight circle.
    mutating func renewRegistration(over flow: Flow, at now: Instant) {
        guard registration.phase == .registered, registration.flow == flow, flow.transport.isReliable else { return }
        timers.set(.register, at: now + .milliseconds(Int64.random(in: 2_000...4_000, using: &generator)))
    }

    // MARK: Leaving

    mutating func unregister(at now: Instant) {
        timers.cancel(.register)
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
