import Base

/// The phone's side of its backend: sign-in, access tokens, organisations, credentials, sign-out.
///
/// A value without clock and sockets. The owner passes each event with two times, carries out the effects in order, and
/// sends `.deadline` when `deadline` has come. Everything in it is bounded: at most one request of each kind is open.
public struct BackendMachine: Sendable {
    public enum Event: Equatable, Sendable {
        /// The first event.
        /// - Parameter fresh: A new identifier for the phone, used if it has none.
        case restore(BackendState?, fresh: String)
        case signIn
        case cancelSignIn
        case signOut
        case listOrganisations
        /// - Parameter organisation: The identifier as a text.
        case switchOrganisation(String)
        /// The phone went back to this organisation after a switch.
        case rolledBack(to: String)
        /// The phone's storage has the newest credentials of this organisation.
        case credentialsKept(of: String)
        case renewCredentials
        /// The broker refuses the registration for caller info.
        case pushRefused(String)
        /// The network has changed, so failed requests may succeed now.
        case networkStirred

        case answered(BackendRequestID, BackendResponse)
        case failed(BackendRequestID, BackendTransportFailure)
        case verified(BackendRequestID, Bool)
        case deadline
    }

    public enum Effect: Equatable, Sendable {
        case send(BackendRequestID, BackendRequest)
        /// Nobody waits for the answer any more.
        case cancel(BackendRequestID)
        /// Answered by `verified`.
        case verify(BackendRequestID, BackendSignature)
        /// Store this state. It replaces the former one.
        case keep(BackendState)
        /// Delete everything that came from the backend: accounts, credentials, state.
        case wipe
        case tell(BackendNotice)
    }

    public let settings: BackendSettings
    /// Nil before `restore`.
    public internal(set) var state: BackendState?
    public internal(set) var statistics = BackendStatistics()

    var signIn = DeviceGrant.none
    var keys: JSONWebKeySet?
    var access = AccessToken()
    var calls: [PendingCall] = []
    var upkeep = Upkeep()
    /// Tokens of sign-ins that have to be revoked, the next one first.
    var revocations: [Revocation] = []
    /// Of the last list of organisations.
    var listETag: String?
    var requests: [OpenRequest] = []
    var generator: SeededGenerator
    private var lastID = 0
    var effects: [Effect] = []

    // The times of the current event.
    var now = Instant.zero
    /// Seconds since 1970, by this machine's clock, which may be wrong.
    var time: Int64 = 0

    /// - Parameter seed: Random, so that telephones do not come all at once.
    public init(_ settings: BackendSettings, seed: UInt64) {
        (self.settings, generator) = (settings, SeededGenerator(seed: seed))
    }

    /// - Parameters:
    ///   - now: On the monotonic clock.
    ///   - time: The time of day, in seconds since 1970.
    public mutating func handle(_ event: Event, at now: Instant, time: Int64) -> [Effect] {
        (self.now, self.time) = (now, time)
        switch (state, event) {
        case (nil, .restore(let stored, let fresh)):
            restore(stored ?? BackendState(deviceID: fresh))
            if stored == nil { keep() }
        case (nil, .signIn), (nil, .cancelSignIn), (nil, .signOut), (nil, .listOrganisations),
            (nil, .switchOrganisation), (nil, .rolledBack), (nil, .credentialsKept), (nil, .renewCredentials),
            (nil, .pushRefused), (nil, .networkStirred), (nil, .answered), (nil, .failed), (nil, .verified),
            (nil, .deadline), (.some, .restore):
            break
        case (.some(let state), .signIn): if !isEnding { beginSignIn(state) } else { tell(.signInFailed(.cancelled)) }
        case (.some, .cancelSignIn): cancelSignIn(.cancelled)
        case (.some, .signOut): signOut()
        case (.some, .listOrganisations): start(.organisations)
        case (.some, .switchOrganisation(let target)): switchOrganisation(to: target)
        case (.some, .rolledBack(let former)): rollBack(to: former)
        case (.some, .credentialsKept(let organisation)): credentialsKept(of: organisation)
        case (.some, .renewCredentials): renewCredentials()
        case (.some, .pushRefused(let reason)): reportVoidPush(reason)
        case (.some, .networkStirred): forgetFailures()
        case (.some, .answered(let id, let response)): settle(id, .success(response))
        case (.some, .failed(let id, let failure)): settle(id, .failure(failure.failure))
        case (.some, .verified(let id, let isGenuine)): verified(id, isGenuine)
        case (.some, .deadline): break
        }
        if state != nil { advance() }
        defer { effects = [] }
        return effects
    }

    /// When something is due. Nil: nothing is.
    public var deadline: Instant? {
        let requests = requests.lazy.map(\.due).min()
        let calls = calls.lazy.map(\.due).min()
        return Instant.earliest(requests, calls, signIn.deadline, accessDue, credentialsDue, pushDue)
    }

    /// Carries out what is due.
    private mutating func advance() {
        while let late = requests.first(where: { $0.due <= now }) {
            effects.append(.cancel(late.id))
            settle(late.id, .failure(.timeout))
        }
        while let late = calls.first(where: { $0.due <= now }) { give(up: late.kind, .timeout) }
        advanceSignIn()
        if let due = accessDue, due <= now { renewAccess() }
        if let due = credentialsDue, due <= now, isTimeKnown { start(.credentials) }
        if let due = pushDue, due <= now, isTimeKnown { start(.push) }
    }

    private mutating func restore(_ state: BackendState) {
        self.state = state
        upkeep = Upkeep(jitter: jitter(), notBefore: now + random(upTo: .seconds(20)))
        access.renewAt = now + random(upTo: .seconds(10))
        // A sign-out that a power cut interrupted goes on.
        guard let registration = state.registration else { return }
        if registration.isEnding { end(registration) } else if isForeign { needSignIn(.otherBackend) }
    }

    /// How many requests have no answer yet.
    package var openRequests: Int { requests.count }

    // MARK: Tools

    var registration: BackendRegistration? {
        get { state?.registration }
        set { state?.registration = newValue }
    }

    var isEnding: Bool { registration?.isEnding ?? false }

    /// Whether the phone is signed in at another backend than the configured one.
    var isForeign: Bool { registration.map { $0.backend != settings.base.authority } ?? false }

    /// The registration that renewals are for. Nil: nothing is renewed.
    var served: BackendRegistration? { isEnding || isForeign || access.isRefused ? nil : registration }

    /// Whether this machine's clock is set.
    var isTimeKnown: Bool { time >= BackendLimits.earliestTime }

    mutating func tell(_ notice: BackendNotice) { effects.append(.tell(notice)) }

    /// Until the phone has stored new credentials, the stored state has the times of the former ones. Otherwise a power
    /// cut in between would leave credentials that are older than the state says.
    mutating func keep() {
        guard var state else { return }
        if let former = upkeep.former { state.registration?.credentialTimes = former }
        effects.append(.keep(state))
    }

    mutating func count(_ failure: BackendFailure) { statistics.failures[failure.kind, default: 0] += 1 }

    mutating func makeID() -> BackendRequestID {
        lastID += 1
        return BackendRequestID(lastID)
    }

    /// A random time from zero to this.
    mutating func random(upTo longest: Duration) -> Duration {
        .nanoseconds(Int64.random(in: 0...longest.nanoseconds, using: &generator))
    }

    /// A random number from 0 to 100.
    mutating func jitter() -> Int64 { Int64.random(in: 0...100, using: &generator) }

    /// A pause that doubles with each failure, and is random.
    mutating func pause(
        after failures: Int, from first: Duration, to longest: Duration, wish: Duration? = nil
    ) -> Duration {
        let pause = min(longest, first * (1 << min(failures, 16)))
        let jittered = Duration.nanoseconds(pause.nanoseconds / 100 * Int64.random(in: 75...125, using: &generator))
        return max(jittered, min(wish ?? .zero, .seconds(3_600)))
    }
}
