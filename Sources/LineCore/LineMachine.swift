import Base
import SDPCore
import SIPCore

/// One line made whole: signalling, offer and answer, registration, turned into "offered, ringing, answered, ended".
///
/// A value without clock, socket or randomness of its own. Its owner carries bytes, finds ways (`locate`), and
/// calls it at `deadline`. Bounded: legs by configuration, transactions by `transactionLimit`, requests that wait
/// for a way by `waitingLimit`, new calls by rate.
public struct LineMachine: Sendable {
    public static let transactionLimit = 128
    public static let waitingLimit = 64
    /// How long a leg's goodbye may take on the wire before the leg is told to be over all the same.
    public static let byeTimeout: Duration = .seconds(2)
    /// How long the server may take to forget who we were before we register as somebody else: one message may get lost
    /// on the way.
    public static let leaving: Duration = .seconds(1)
    /// How long the way to a hop may be searched.
    public static let locating: Duration = .seconds(5)

    enum Timer: Hashable, Sendable {
        case leave(LegID)
        /// Our 2xx again.
        case success(LegID)
        /// Our reliable 180 again.
        case progress(LegID)
        /// A refresh is due, or the session is over.
        case session(LegID)
        case glare(LegID)
        /// The next digit may leave.
        case dtmf(LegID)
        /// The far end tells no more of the transfer that it was asked for.
        case transfer(LegID)
        /// Nobody took up what the far end asked, or the far end does not hang up after it.
        case referral(LegID)
        /// Nobody said whether the call may go elsewhere.
        case redirection(LegID)
        case locate(NextHop)
        /// An INVITE of ours that nobody can answer any more.
        case forget(ClientTransactionID)
        /// A flow is to be registered, or its registration renewed.
        case register(RegisteredFlow.Number)
        /// A flow wants to be kept.
        case keepAlive(RegisteredFlow.Number)
        /// The server takes too long to let us go.
        case leaving
        case orphanBye(UInt32)
        /// A subscription is to be renewed, or begun again.
        case watch(SubscriptionTarget)
        case finish
    }

    public internal(set) var configuration: LineConfiguration
    var layer: TransactionLayer
    var identifiers: SIPIdentifiers
    var generator: any RandomNumberGenerator & Sendable
    let sipTimers: SIPTimers
    let hashes: DigestHashes
    /// Credentials for registering, which go on before they are asked for, and for calls, which do not: what a proxy
    /// leaves in a call's request reaches the far end.
    var registrarDigest: DigestAuthenticator?
    var callDigest: DigestAuthenticator?
    /// What legs are challenged with that are older than a change of credentials: a call stays who it was.
    var formerDigests: [LegID: DigestAuthenticator?] = [:]
    /// The realm that the account's server named first; no other one is answered after it.
    var realm: String?
    /// The strongest proof that was given in it. Nothing weaker is given after it.
    var proof: DigestStrength?
    /// Whether the account's server has shown that it challenges calls itself by 401, as one end of each call.
    var serverChallengesAsUAS = false
    /// Where the account's server was found last: every way to it, the best one first.
    var home: [Flow] = []
    var ways = RouteCache()
    /// Each answer to STUN is at most two and a half times as long as its question.
    var stunAnswers = RateLimit(burst: 20, interval: .milliseconds(50))

    var legs: [LegID: Leg] = [:]
    /// Over which flows the dialogs of each leg run.
    var paths: [LegID: DialogPath] = [:]
    var offeredCount: UInt32 = 0
    /// What we asked of far ends, and they of us, by the leg in which it was asked.
    var transfers: [LegID: Transfer] = [:]
    var referrals: [LegID: Referral] = [:]
    /// What the server is asked to tell of, in the order of the configuration.
    var subscriptions: [Subscription]
    /// Dialogs that ended lately, oldest first.
    var past: [Dialog.ID] = []
    var newCalls = RateLimit(burst: 10, interval: .milliseconds(500))
    var toldRefusals = RateLimit(burst: 10, interval: .seconds(1))
    /// Digits that wait, by their leg.
    var dtmf: [LegID: DTMFQueue] = [:]
    var dtmfRate = RateLimit(burst: 20, interval: .milliseconds(50))
    var texts = RateLimit(burst: 10, interval: .seconds(2))
    /// Strangers are many: of each one a person is told only while they are few.
    var gateNotices = RateLimit(burst: 10, interval: .seconds(30))
    var sent: [ClientTransactionID: SentRequest] = [:]
    var waiting: [Waiting] = []
    var registration: Registration
    /// Goodbyes to calls of the process before.
    var orphanByes: [UInt32: DialogSnapshot] = [:]
    var orphanByeCount: UInt32 = 0
    /// The last NOTIFY of messages that wait.
    var notice: Notice?
    var timers = DeadlineTable<Timer>()
    var isShuttingDown = false
    /// Why something fails in the input in hand, for people; nil when that is not known.
    var fault: String?
    /// What the input in hand leads to.
    var outputs: [LineOutput] = []

    /// - Parameters:
    ///   - makeGenerator: Called three times; each generator must give numbers of its own. On a phone: the system's.
    ///     Keys, tags and branches are drawn from them.
    ///   - hashes: MD5 and SHA-256, for digest authentication.
    public init(
        configuration: LineConfiguration, makeGenerator: () -> any RandomNumberGenerator & Sendable,
        hashes: DigestHashes, timers: SIPTimers = SIPTimers()
    ) {
        self.configuration = configuration
        sipTimers = timers
        self.hashes = hashes
        layer = TransactionLayer(
            identifiers: SIPIdentifiers(makeGenerator()), timers: timers, limit: Self.transactionLimit)
        identifiers = SIPIdentifiers(makeGenerator())
        generator = makeGenerator()
        realm = configuration.account?.realm
        registration = Registration(callID: identifiers.makeCallID(), tag: identifiers.makeTag())
        registrarDigest = configuration.digest(hashes)
        callDigest = registrarDigest
        subscriptions = configuration.watches.prefix(SubscriptionTarget.limit).map { Subscription($0) }
    }

    /// When `deadline` is to be given next.
    public var deadline: Instant? {
        switch (layer.deadline, timers.earliest) {
        case (let layer?, let own?): min(layer, own)
        case (let layer, let own): layer ?? own
        }
    }

    public mutating func handle(_ input: LineInput, at now: Instant) -> [LineOutput] {
        switch input {
        case .start: startRegistration(at: now)
        case .received(let bytes, let flow): arrived(bytes, over: flow, at: now)
        case .located(let hop, let flows, let why):
            fault = why
            located(hop, flows, at: now)
        case .transportFailed(let flow, let why):
            fault = why
            transportFailed(flow, at: now)
        case .unsent(let bytes, let why):
            fault = why
            handle(layer.unsent(bytes.span, at: now), at: now)
        case .networkChanged: networkChanged(at: now)
        case .command(let command): perform(command, at: now)
        case .deadline: deadlineReached(at: now)
        }
        fault = nil
        tellReferrers(at: now)
        watchRegistration(at: now)
        finishIfDone()
        defer { outputs = [] }
        return outputs
    }

    private mutating func transportFailed(_ flow: Flow, at now: Instant) {
        handle(layer.transportFailed(flow, at: now), at: now)
        renewRegistration(over: flow, at: now)
    }

    private mutating func arrived(_ bytes: [UInt8], over flow: Flow, at now: Instant) {
        guard !receivedKeepAlive(bytes, over: flow, at: now) else { return }
        outputs.append(.trace(SignalTrace(bytes, .received, flow, at: now, showsDigits: configuration.tracesDigits)))
        receive(bytes, over: flow, at: now)
    }

    private mutating func perform(_ command: LineCommand, at now: Instant) {
        switch command {
        case .invite(let leg, let target, let port): beginInvite(leg, target, mediaPort: port, at: now)
        case .alert(let leg): alert(leg, at: now)
        case .answer(let leg, let port, let awaitingACK):
            answer(leg, mediaPort: port, awaitingACK: awaitingACK, at: now)
        case .refuse(let leg, let refusal): refuse(leg, refusal, at: now)
        case .end(let leg): end(leg, .hungUpHere, at: now)
        case .hold(let leg, let held): change(leg, PendingReoffer(held: held), at: now)
        case .move(let leg): change(leg, PendingReoffer(moves: true), at: now)
        case .dtmf(let leg, let elements): sendDTMF(leg, elements, at: now)
        case .transfer(let leg, let target): transfer(leg, to: target, at: now)
        case .connect(let leg, let other): connect(leg, with: other, at: now)
        case .follow(let leg, let referrer, let port): follow(leg, of: referrer, mediaPort: port, at: now)
        case .declineReferral(let leg): declineReferral(leg, at: now)
        case .redirect(let leg, let isWanted): redirect(leg, isWanted, at: now)
        case .pickUp(let leg, let number, let port): pickUp(leg, number, mediaPort: port, at: now)
        case .orphanBye(let memo): beginOrphanBye(memo, at: now)
        case .reconnect: reconnect(at: now)
        case .reconfigure(let credentials):
            endWatching(at: now)
            reconfigure(credentials, at: now)
        case .shutDown: shutDown(at: now)
        }
    }

    private mutating func deadlineReached(at now: Instant) {
        handle(layer.deadlineReached(at: now), at: now)
        while let timer = timers.popDue(at: now) {
            switch timer {
            case .leave(let leg): report(leg)
            case .success(let leg): resendSuccess(leg, at: now)
            case .progress(let leg): resendProgress(leg, at: now)
            case .session(let leg): sessionDue(leg, at: now)
            case .glare(let leg): offerAfterGlare(leg, at: now)
            case .dtmf(let leg): sendNextDTMF(leg, at: now)
            case .transfer(let leg): endTransfer(leg, succeeded: false)
            case .referral(let leg): referralDue(leg, at: now)
            case .redirection(let leg): redirect(leg, false, at: now)
            case .locate(let hop): located(hop, [], at: now)
            case .forget(let transaction): sent[transaction] = nil
            case .register(let number): register(number, at: now)
            case .keepAlive(let number): keepAliveDue(number, at: now)
            case .leaving: stopLeaving(at: now)
            case .orphanBye(let number): endOrphanBye(number)
            case .watch(let watch): watchDue(watch, at: now)
            case .finish: finish()
            }
        }
    }

    /// Sends what the transaction layer sends, and gives on what it delivers.
    mutating func handle(_ effects: [TransactionLayer.Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .send(let bytes, let flow):
                outputs.append(.send(bytes, flow))
                outputs.append(
                    .trace(SignalTrace(bytes, .sent, flow, at: now, showsDigits: configuration.tracesDigits)))
            case .request(let request, let id, let flow): receive(request, id, over: flow, at: now)
            case .acknowledgement(let ack, _): acknowledged(by: ack, at: now)
            case .cancelled(let id, let cancel): cancelled(id, by: cancel, at: now)
            case .response(let response, let id, let flow): receive(response, to: id, over: flow, at: now)
            case .timedOut(.client(let id)): unanswered(id, .silent, at: now)
            case .transportFailed(.client(let id)): unanswered(id, .unsent, at: now)
            // A refusal of ours that nobody acknowledged: the leg is over either way.
            case .timedOut(.server), .transportFailed(.server): break
            case .dropped(let drop): outputs.append(.dropped(drop))
            }
        }
    }

    // MARK: The end of a leg

    /// Every leg ends here, whatever the cause.
    mutating func finish(_ id: LegID, _ end: LegEnd) {
        guard let leg = legs.removeValue(forKey: id) else { return }
        paths[id] = nil
        formerDigests[id] = nil
        for timer in [
            Timer.leave(id), .success(id), .progress(id), .session(id), .glare(id), .redirection(id),
        ] { timers.cancel(timer) }
        forgetDTMF(of: id)
        forgetTransfers(of: id)
        remember(leg.dialog)
        if case .leaving(let leaving) = leg, leaving.isReported { return }
        outputs.append(.ended(id, end))
    }

    /// The goodbye takes too long: the leg is told to be over, and the goodbye goes on by itself.
    private mutating func report(_ id: LegID) {
        guard case .leaving(var leaving) = legs[id], !leaving.isReported else { return }
        leaving.isReported = true
        legs[id] = .leaving(leaving)
        outputs.append(.ended(id, leaving.end))
    }

    /// Turns a leg to its goodbye.
    mutating func leave(_ id: LegID, _ stage: Leg.Leaving.Stage, _ end: LegEnd, at now: Instant) {
        legs[id] = .leaving(Leg.Leaving(stage: stage, end: end))
        for timer in [Timer.progress(id), .session(id), .glare(id)] { timers.cancel(timer) }
        timers.set(.leave(id), at: now + Self.byeTimeout)
    }

    // MARK: Shutting down

    private mutating func shutDown(at now: Instant) {
        guard !isShuttingDown else { return }
        endWatching(at: now)
        isShuttingDown = true
        for leg in legs.keys.sorted(by: { "\($0)" < "\($1)" }) { end(leg, .shutDown, at: now) }
        unregister(at: now)
        timers.set(.finish, at: now + Self.byeTimeout)
    }

    private mutating func finishIfDone() {
        guard isShuttingDown, timers[.finish] != nil else { return }
        if legs.isEmpty && !registration.isLeaving { finish() }
    }

    private mutating func finish() {
        timers.cancel(.finish)
        for leg in legs.keys.sorted(by: { "\($0)" < "\($1)" }) { report(leg) }
        outputs.append(.finished)
    }
}
