import Base
import JSON

/// The phone's short-lived access token, and its renewal: one at a time.
struct AccessToken: Equatable, Sendable {
    struct Held: Equatable, Sendable {
        let token: Redacted<String>
        /// Requests use it until then, a little before it ends.
        let usableUntil: Instant
    }

    /// The shortest time between two renewals that nobody waits for.
    static let shortestPause = Duration.seconds(30)

    var held: Held?
    var isRenewing = false
    /// When it is renewed without a request that waits for it. Nil: only for a request.
    var renewAt: Instant?
    var failures = 0
    /// Whether the user knows that the phone has to be signed in.
    var isRefused = false

    init(renewAt: Instant? = nil) { self.renewAt = renewAt }

    func usable(at now: Instant) -> Redacted<String>? {
        guard let held, now < held.usableUntil else { return nil }
        return held.token
    }
}

extension BackendMachine {
    /// When the token is renewed before it ends.
    var accessDue: Instant? {
        served == nil || access.isRenewing ? nil : access.renewAt
    }

    /// Whether the backend accepted the phone's device token last.
    public var isSignInNeeded: Bool { access.isRefused }

    /// Exchanges the device token for an access token, unless that is under way.
    mutating func renewAccess() {
        guard let registration, !isForeign, !access.isRenewing else { return }
        access.isRenewing = true
        access.renewAt = nil
        var request = BackendRequest.json(
            settings.base.appending(settings.paths.token),
            ["device_token": .string(registration.deviceToken.reveal())], timeout: settings.times.request)
        request.isRepeatable = true
        send(request, for: .access, secrets: [registration.deviceToken])
    }

    mutating func accessAnswered(_ answer: Answer) {
        access.isRenewing = false
        switch answer.read(AccessGrant.init) {
        case .success(let grant):
            statistics.accessTokens += 1
            // A tenth of its life, but at most a minute, is left for the requests that use it.
            let reserve = min(.seconds(60), grant.expiresIn / 10)
            let usable = grant.expiresIn - reserve
            access.held = AccessToken.Held(token: grant.token, usableUntil: now + usable)
            access.renewAt = now + max(AccessToken.shortestPause, usable - reserve)
            (access.failures, access.isRefused) = (0, false)
            for call in calls where call.request == nil { proceed(call.kind) }
        case .failure(.api(status: 401, _)):
            needSignIn(.deviceTokenRefused)
            failWaitingCalls(.signInNeeded)
        case .failure(let failure):
            let pause = pause(
                after: access.failures, from: .seconds(5), to: .seconds(900), wish: answer.retryAfter)
            access.failures += 1
            access.renewAt = now + pause
            failWaitingCalls(failure)
        }
    }

    private mutating func failWaitingCalls(_ failure: BackendFailure) {
        for call in calls where call.request == nil { give(up: call.kind, failure) }
    }

    mutating func needSignIn(_ reason: SignInReason) {
        (access.held, access.renewAt) = (nil, nil)
        guard !access.isRefused, !isEnding else { return }
        access.isRefused = true
        tell(.signInNeeded(reason))
    }

    /// Tries again what failed: the network may be back.
    mutating func forgetFailures() {
        let soon = now + random(upTo: .seconds(2))
        if access.failures > 0, let renewAt = access.renewAt { access.renewAt = min(renewAt, soon) }
        access.failures = 0
        for errand in [\Upkeep.credentials, \Upkeep.push] where upkeep[keyPath: errand].failures > 0 {
            upkeep[keyPath: errand].notBefore = min(upkeep[keyPath: errand].notBefore, soon)
            upkeep[keyPath: errand].failures = 0
        }
        if case .pausing(var polling, let until) = signIn, polling.failures > 0 {
            polling.failures = 0
            signIn = .pausing(polling, until: min(until, now + polling.interval))
        }
        if case .confirmed(let confirmation, .retrying(let keys, _)) = signIn {
            signIn = .confirmed(confirmation, .retrying(keys: keys, at: soon))
        }
    }
}
