import Base

/// The renewals that nobody asks for.
struct Upkeep: Equatable, Sendable {
    struct Errand: Equatable, Sendable {
        /// Earlier it is not tried.
        var notBefore: Instant
        var failures = 0
    }

    /// The shortest time between two renewals of the same thing, whatever the backend says about their life.
    static let shortestAge = Duration.seconds(600)
    /// The machine looks at the clock at least this often, because the clock may be set.
    static let clockLook = Duration.seconds(3_600)

    var credentials: Errand
    var push: Errand
    /// By how much renewals are early: 0 to 100, a hundredth of the longest.
    let jitter: Int64
    /// Whether the user knows that these credentials end.
    var hasWarned = false
    /// Whether the backend knows the phone's organisation, as far as the phone knows.
    var isAligned = true
    /// The times of the credentials that the phone has stored. Nil: it has stored the newest ones.
    var former: CredentialTimes?
    /// The registration for caller info that was reported as void.
    var voided: String?

    init(jitter: Int64 = 0, notBefore: Instant = .zero) {
        self.jitter = jitter
        credentials = Errand(notBefore: notBefore)
        push = Errand(notBefore: notBefore)
    }
}

extension BackendMachine {
    /// The instant for a time of day: the clock may be set until then, so it is at most an hour away.
    private func instant(of due: Int64, notBefore: Instant) -> Instant {
        guard isTimeKnown else { return max(notBefore, now + .seconds(60)) }
        let wait = Duration.seconds(min(max(0, due - time), 86_400 * 365))
        return max(notBefore, now + min(wait, Upkeep.clockLook))
    }

    private func isRunning(_ kind: PendingCall.Kind) -> Bool { calls.contains { $0.kind == kind } }

    // MARK: Credentials

    /// When the credentials have to be renewed, in seconds since 1970.
    private var credentialsEnd: Int64? {
        guard let registration, let issued = registration.credentialTimes.issuedAt else { return nil }
        let age = settings.times.credentials.components.seconds
        let aged = issued + age - age / 2_000 * upkeep.jitter
        guard let expires = registration.credentialTimes.expireAt else { return aged }
        return min(aged, expires - reserve(issued, expires) - reserve(issued, expires) * upkeep.jitter / 200)
    }

    /// How long before their end credentials are renewed: a tenth of their life, but at most six hours.
    private func reserve(_ issued: Int64, _ expires: Int64) -> Int64 {
        min(max((expires - issued) / 10, 60), 21_600)
    }

    var credentialsDue: Instant? {
        guard served != nil, !isRunning(.credentials), let end = credentialsEnd else { return nil }
        return instant(of: end, notBefore: upkeep.credentials.notBefore)
    }

    /// A person or the line wants new credentials at once.
    mutating func renewCredentials() { start(.credentials) }

    /// Remembers how old credentials are.
    /// - Parameter isNew: Whether they were made just now, whatever the backend says.
    mutating func note(_ credentials: BackendCredentials?, isNew: Bool) {
        guard let credentials else { return }
        let issued = max(0, isNew ? time : min(credentials.issuedAt ?? time, time))
        registration?.credentialTimes = CredentialTimes(issuedAt: issued, expireAt: credentials.expiresAt)
        upkeep.credentials = Upkeep.Errand(notBefore: now + Upkeep.shortestAge)
        upkeep.hasWarned = false
    }

    /// Like `note`, for credentials that the phone stores on its own. `credentialsKept` follows.
    mutating func noteUnkept(_ credentials: BackendCredentials, isNew: Bool) {
        let former = upkeep.former ?? registration?.credentialTimes
        note(credentials, isNew: isNew)
        upkeep.former = former
    }

    mutating func credentialsKept(of organisation: String) {
        guard upkeep.former != nil, registration?.current.id.description == organisation else { return }
        upkeep.former = nil
        keep()
    }

    mutating func credentialsAnswered(_ answer: Answer) {
        guard let current = registration?.current.id else {
            return tell(.credentialsNotRenewed(answer.failure ?? .abandoned))
        }
        switch credentials(answer, of: current) {
        case .success(let credentials):
            statistics.credentialRenewals += 1
            noteUnkept(credentials, isNew: true)
            upkeep.isAligned = true
            keep()
            tell(.credentialsRenewed(credentials))
        case .failure(let failure):
            // After a switch that the phone undid, the backend may still serve the other organisation.
            if case .parse(BackendParseFault("organization_id", .mismatch)) = failure, upkeep.isAligned {
                upkeep.isAligned = false
                start(.realign(current))
            }
            postponeCredentials(failure, wish: answer.retryAfter)
        }
    }

    private mutating func postponeCredentials(_ failure: BackendFailure, wish: Duration?) {
        let first: Duration = failure.mayPass ? .seconds(30) : .seconds(1_800)
        let pause = pause(after: upkeep.credentials.failures, from: first, to: .seconds(21_600), wish: wish)
        upkeep.credentials.notBefore = now + pause
        upkeep.credentials.failures += 1
        tell(.credentialsNotRenewed(failure))
        guard let registration, !upkeep.hasWarned, let end = credentialsEnd, isTimeKnown, end <= time else { return }
        let expires = registration.credentialTimes.expireAt
        let isClose = expires.map { $0 - time < reserve(registration.credentialTimes.issuedAt ?? 0, $0) / 2 } ?? false
        guard isClose || upkeep.credentials.failures >= 3 else { return }
        upkeep.hasWarned = true
        tell(.credentialsExpiring(at: expires, failure))
    }

    // MARK: Caller info

    var pushDue: Instant? {
        guard settings.usesPush, let registration = served, !isRunning(.push) else { return nil }
        guard let push = registration.push, push.id != upkeep.voided, let registered = registration.pushRegisteredAt
        else { return instant(of: 0, notBefore: upkeep.push.notBefore) }
        let longest = settings.times.push.components.seconds
        let age = min(max(push.renewAfter ?? longest, 3_600), longest)
        return instant(of: registered + age - age / 2_000 * upkeep.jitter, notBefore: upkeep.push.notBefore)
    }

    mutating func pushAnswered(_ answer: Answer) {
        guard registration != nil else { return }
        switch answer.read(BackendPush.init) {
        case .success(let push):
            let registered = max(0, time)
            registration?.push = push
            registration?.pushRegisteredAt = registered
            upkeep.push = Upkeep.Errand(notBefore: now + Upkeep.shortestAge)
            keep()
            tell(.pushRegistration(push))
        case .failure(let failure):
            let pause = pause(
                after: upkeep.push.failures, from: .seconds(60), to: .seconds(21_600), wish: answer.retryAfter)
            upkeep.push.notBefore = now + pause
            upkeep.push.failures += 1
            tell(.pushNotRegistered(failure))
        }
    }

    /// Reports a registration that the broker refuses, once.
    mutating func reportVoidPush(_ reason: String) {
        guard let push = registration?.push, push.id != upkeep.voided else { return }
        upkeep.voided = push.id
        upkeep.push = Upkeep.Errand(notBefore: now + Upkeep.shortestAge)
        start(.voidPush(id: push.id, reason: reason.shown(bytes: BackendLimits.messageBytes)))
    }

    /// The registration ends with the report. A new one follows after a pause.
    mutating func voided(_ answer: Answer, id: String) {
        switch answer.failure {
        case nil, .api(status: 404, _): break
        // The next refusal reports it again.
        case .some: return upkeep.voided = nil
        }
        guard registration?.push?.id == id else { return }
        registration?.push = nil
        registration?.pushRegisteredAt = nil
        keep()
        tell(.pushRegistration(nil))
    }

    // MARK: Sign-out

    /// Deletes the phone at the backend, and then everything here. The backend has a few seconds for it.
    mutating func signOut() {
        cancelSignIn(.cancelled)
        guard var ending = registration else { return forget(isDeleted: false) }
        guard !ending.isEnding else { return }
        abandonCalls()
        ending.isEnding = true
        registration = ending
        keep()
        end(ending)
    }

    mutating func end(_ registration: BackendRegistration) {
        start(.deletion(id: registration.id), within: settings.times.signOut)
    }

    mutating func finishSignOut(_ answer: Answer) {
        switch answer.failure {
        case nil, .api(status: 404, _): forget(isDeleted: true)
        // The backend does not accept the device token any more. Another backend was never asked.
        case .signInNeeded: forget(isDeleted: !isForeign)
        case .some: forget(isDeleted: false)
        }
    }

    private mutating func forget(isDeleted: Bool) {
        abandon { $0 == .access }
        registration = nil
        access = AccessToken()
        (keys, listETag) = (nil, nil)
        upkeep = Upkeep(jitter: jitter())
        effects.append(.wipe)
        keep()
        tell(.signedOut(isDeleted: isDeleted))
    }
}
