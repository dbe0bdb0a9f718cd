import Base
import SDPCore
import SIPCore

/// One complete line: signalling, offer and answer, and registration, reported as "offered, ringing, answered, ended".
///
/// A value that has no clock, no socket and no source of randomness. Its owner carries bytes, locates hops (`locate`),
/// and calls it at `deadline`. Everything is bounded: legs by the configuration, transactions by `transactionLimit`,
/// requests that wait for their hop by `waitingLimit`, new calls by a rate.
public struct LineMachine: SignallingLine {
    public static let transactionLimit = 128
    public static let waitingLimit = 64
    /// How long to wait for the answer to a BYE or CANCEL. After that the leg is reported as ended.
    public static let byeTimeout: Duration = .seconds(2)
    /// How long the server may take to remove our binding before we register with other credentials. It allows for the
    /// loss of one message.
    public static let leaving: Duration = .seconds(1)
    /// The longest text that is accepted, in bytes. A sender may send 1,300 over an unknown path (RFC 3428 §8).
    public static let textLimit = 2_000
    /// How long locating a hop may take.
    public static let locating: Duration = .seconds(5)

    enum Timer: Hashable, Sendable {
        case leave(CallID)
        /// Send our 2xx again.
        case success(CallID)
        /// Send our reliable 180 again.
        case progress(CallID)
        /// The line's user did not decide in time whether the call may follow a redirection.
        case redirection(CallID)
        /// No more responses can come to our INVITE.
        case forget(ClientTransactionID)
        case finish
    }

    var context: LineContext
    var layer: TransactionLayer
    /// The parts. Each keeps its own state and returns effects.
    var registration: Registration
    var authentication: ServerAuthentication
    /// What the line has learned about the account's server.
    var trust: LineTrust
    var routing: Routing
    var subscriptions: Subscriptions
    var messageWaiting = MessageWaiting()
    var texts = TextMessages()
    var transfers = Transfers()
    var referrals = Referrals()
    var dtmf = DTMFQueues()
    var orphanByes = OrphanByes()
    var names = NamedMedia()
    var past = PastDialogs()

    var legs: [CallID: Leg] = [:]
    /// The flows that the dialogs of each leg use.
    var dialogFlows: [CallID: DialogFlows] = [:]
    /// The far ends, as the account's server named them last.
    var parties: [CallID: ConnectedParty] = [:]
    var offeredCount: UInt32 = 0
    /// Our requests that may still get a response.
    var sent: [ClientTransactionID: SentRequest] = [:]
    var timers = DeadlineTable<Timer>()
    /// Rate limits for messages and calls.
    var limits = AdmissionLimits()
    var isShuttingDown = false
    /// Why the current input causes a failure, for people. Nil if the reason is not known.
    var fault: String?
    /// The outputs of the current input.
    var outputs: [LineOutput] = []

    /// - Parameters:
    /// - makeGenerator: Called three times; each generator must give different numbers. On a phone it is the system's
    ///   generator. Keys, tags and branches are drawn from them.
    ///   - hashes: MD5 and SHA-256, for digest authentication.
    ///   - offeredBefore: How many calls former machines of the same line were offered. Identifiers are not used twice.
    public init(
        configuration: LineConfiguration, makeGenerator: () -> any RandomNumberGenerator & Sendable,
        hashes: DigestHashes, timers: SIPTimers = SIPTimers(), offeredBefore: UInt32 = 0
    ) {
        let identifiers = SIPIdentifiers(makeGenerator())
        context = LineContext(
            configuration: configuration, identifiers: SIPIdentifiers(makeGenerator()), generator: makeGenerator(),
            timers: timers)
        layer = TransactionLayer(
            identifiers: identifiers, timers: timers, sentBy: context.unreachableHost, limit: Self.transactionLimit)
        registration = Registration(context.makeRegistrant())
        authentication = ServerAuthentication(configuration, hashes: hashes)
        trust = configuration.account?.trust ?? LineTrust()
        routing = Routing(transports: configuration.transports)
        subscriptions = Subscriptions(configuration.watches)
        offeredCount = offeredBefore
    }

    public var configuration: LineConfiguration { context.configuration }

    /// Calls and registrations have transactions of their own, and each of them needs a flow.
    public var hasSessionFlow: Bool { false }

    public func mayBegin(_ bytes: [UInt8]) -> Bool { SIPMessage.mayBegin(bytes) }

    public var deadline: Instant? {
        let parts = [
            layer.deadline, timers.earliest, registration.deadline, routing.deadline, subscriptions.deadline,
            transfers.deadline, referrals.deadline, dtmf.deadline, orphanByes.deadline, names.deadline,
        ]
        return (parts + legs.values.map(\.deadline)).compactMap(\.self).min()
    }

    public mutating func handle(_ input: LineInput, at now: Instant) -> [LineOutput] {
        switch input {
        case .start: handle(registration.start(in: context), at: now)
        case .received(let bytes, let flow): arrived(bytes, over: flow, at: now)
        case .lookedUp(let question, let response):
            outputs += routing.lookedUp(question, response, using: &context.generator, at: now)
        case .located(let hop, let flows, let why):
            fault = why
            let isVoice = resolved(hop, flows, at: now)
            if !isVoice || routing.searches(for: hop) { located(hop, flows, at: now) }
        case .transportFailed(let flow, let why):
            fault = why
            transportFailed(flow, at: now)
        case .unsent(let bytes, let why):
            fault = why
            handle(layer.unsent(bytes.span, at: now), at: now)
        case .networkChanged:
            routing.forgetAnswers()
            handle(registration.networkChanged(), at: now)
        case .command(.dial(let leg, let target, _, let media, let presentation)):
            beginInvite(leg, invitation(to: target, media, presentation ?? CallPresentation()), at: now)
        case .command(.alert(let leg)): alert(leg, at: now)
        case .command(.answer(let leg, let media, let awaitingACK)):
            answer(leg, media, awaitingACK: awaitingACK, at: now)
        // SIP has a body for it (RFC 8840), which we do not support: our descriptions are complete.
        case .command(.candidates): break
        case .command(.refuse(let leg, let refusal)): refuse(leg, refusal, at: now)
        case .command(.end(let leg, let cause)): end(leg, cause.map { EndReason($0) } ?? .hungUpHere, at: now)
        case .command(.hold(let leg, let held)): want(PendingReoffer(held: held), in: leg, at: now)
        case .command(.move(let leg, let media)): want(PendingReoffer(.moves, ice: media?.ice), in: leg, at: now)
        case .command(.dtmf(let leg, let elements)): sendDTMF(leg, elements, at: now)
        case .command(.transfer(let leg, let target)): transfer(leg, to: target, at: now)
        case .command(.connect(let leg, let other)): connect(leg, with: other, at: now)
        case .command(.follow(let leg, let referrer, _, let media)): follow(leg, of: referrer, media, at: now)
        case .command(.declineReferral(let leg)): declineReferral(leg, at: now)
        case .command(.redirect(let leg, let isWanted)): redirect(leg, isWanted, at: now)
        case .command(.pickUp(let leg, let number, let media)): pickUp(leg, number.number, media, at: now)
        case .command(.orphanBye(_, let memo)): beginOrphanBye(memo, at: now)
        case .command(.reconnect):
            routing.forgetAnswers()
            handle(registration.reconnect(in: context), at: now)
        case .command(.disconnect):
            handle(subscriptions.end(in: &context), at: now)
            handle(registration.disconnect(in: &context, at: now), at: now)
        case .command(.reconfigure(_, let credentials)):
            handle(subscriptions.end(in: &context), at: now)
            handle(registration.reconfigure(credentials, in: context, at: now), at: now)
        case .command(.shutDown): shutDown(at: now)
        case .deadline: deadlineReached(at: now)
        }
        fault = nil
        finishIfDone(at: now)
        defer { outputs = [] }
        return outputs
    }

    private mutating func transportFailed(_ flow: Flow, at now: Instant) {
        handle(layer.transportFailed(flow, at: now), at: now)
        handle(registration.broke(flow, in: &context, at: now), at: now)
    }

    private mutating func arrived(_ bytes: [UInt8], over flow: Flow, at now: Instant) {
        guard !receivedKeepAlive(bytes, over: flow, at: now) else { return }
        outputs.append(.trace(SignalTrace(bytes, .received, flow, at: now, showsDigits: configuration.tracesDigits)))
        receive(bytes, over: flow, at: now)
    }

    private mutating func deadlineReached(at now: Instant) {
        handle(layer.deadlineReached(at: now), at: now)
        handle(registration.deadlineReached(in: &context, at: now), at: now)
        handle(subscriptions.deadlineReached(in: &context, at: now), at: now)
        for hop in routing.overdue(at: now) { located(hop, [], at: now) }
        for hop in names.overdue(at: now) { _ = resolved(hop, [], at: now) }
        handle(transfers.deadlineReached(at: now), at: now)
        handle(referrals.deadlineReached(at: now), at: now)
        handle(dtmf.deadlineReached(at: now), at: now)
        for number in orphanByes.overdue(at: now) { endOrphanBye(number) }
        for leg in inOrder(legs.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys) {
            change(leg, at: now) { offerAnswer, _ in offerAnswer.deadlineReached(at: now) }
        }
        while let timer = timers.popDue(at: now) { due(timer, at: now) }
    }

    private mutating func due(_ timer: Timer, at now: Instant) {
        switch timer {
        case .leave(let leg): report(leg, at: now)
        case .success(let leg): resendSuccess(leg, at: now)
        case .progress(let leg): resendProgress(leg, at: now)
        case .redirection(let leg): redirect(leg, false, at: now)
        case .forget(let transaction): sent[transaction] = nil
        case .finish: finish(at: now)
        }
    }

    /// Sends what the transaction layer sends, and passes on what it delivers.
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
            // Our refusal got no ACK. The leg is over either way.
            case .timedOut(.server), .transportFailed(.server): break
            case .dropped(let drop): outputs.append(.dropped(drop))
            }
        }
    }

    /// Sorts, because the order of a dictionary differs from run to run.
    private func inOrder(_ legs: some Sequence<CallID>) -> [CallID] {
        legs.sorted { ($0.isOffered ? 1 : 0, $0.number) < ($1.isOffered ? 1 : 0, $1.number) }
    }

    // MARK: The end of a leg

    /// Every leg ends here, whatever the cause.
    mutating func finish(_ id: CallID, _ end: EndReason, at now: Instant) {
        guard let leg = legs.removeValue(forKey: id) else { return }
        dialogFlows[id] = nil
        parties[id] = nil
        for timer in [Timer.leave(id), .success(id), .progress(id), .redirection(id)] { timers.cancel(timer) }
        authentication.forget(id)
        dtmf.forget(id)
        transfers.forget(id)
        referrals.forget(id)
        if let dialog = leg.dialog { past.append(dialog.id) }
        if case .leaving(let leaving) = leg, leaving.isReported { return }
        ended(id, end, at: now)
    }

    /// Reports what the far end or the server says about the end that follows.
    mutating func tellEnd(_ id: CallID, _ reasons: [Reason], _ status: SIPStatus? = nil, phrase: String? = nil) {
        if let told = ServerEnd(reasons, status, phrase: phrase) { outputs.append(.event(.endTold(id, told))) }
    }

    /// Reports the leg as ended, because its BYE or CANCEL takes too long. Its transaction goes on.
    private mutating func report(_ id: CallID, at now: Instant) {
        guard case .leaving(var leaving) = legs[id], !leaving.isReported else { return }
        leaving.isReported = true
        legs[id] = .leaving(leaving)
        ended(id, leaving.end, at: now)
    }

    /// Makes the leg wait for the answer to its BYE or CANCEL.
    mutating func leave(_ id: CallID, _ stage: Leg.Leaving.Stage, _ end: EndReason, at now: Instant) {
        legs[id] = .leaving(Leg.Leaving(stage: stage, end: end))
        timers.cancel(.progress(id))
        // Waiting digits are dropped without a report, because the end of the call implies it.
        dtmf.forget(id)
        timers.set(.leave(id), at: now + Self.byeTimeout)
    }

    // MARK: Shutting down

    private mutating func shutDown(at now: Instant) {
        guard !isShuttingDown else { return }
        handle(subscriptions.end(in: &context), at: now)
        isShuttingDown = true
        for leg in inOrder(legs.keys) { end(leg, .shutDown, at: now) }
        handle(registration.shutDown(in: context), at: now)
        timers.set(.finish, at: now + Self.byeTimeout)
    }

    private mutating func finishIfDone(at now: Instant) {
        guard isShuttingDown, timers[.finish] != nil else { return }
        if legs.isEmpty && !registration.isLeaving { finish(at: now) }
    }

    private mutating func finish(at now: Instant) {
        timers.cancel(.finish)
        for leg in inOrder(legs.keys) { report(leg, at: now) }
        outputs.append(.finished)
    }
}

/// Counts what a line remembers about others. Tests use it to check that this stays bounded.
package struct LineCensus: Equatable, Sendable {
    package let legs: Int
    package let transactions: Int
    /// Requests that wait until their hop is located.
    package let waiting: Int
    /// ACKs that are kept because a 2xx may come again.
    package let acknowledgements: Int
    /// Bytes of all messages that are kept because they may have to be sent again.
    package let bytes: Int
    /// Subscriptions at the account's server.
    package let subscriptions: Int
    /// Calls whose flows are known.
    package let dialogFlows: Int
    /// Calls whose far ends the account's server has named.
    package let parties: Int
}

extension LineMachine {
    package var census: LineCensus {
        let acknowledgements = sent.values.flatMap(\.acknowledgements.values)
        return LineCensus(
            legs: legs.count, transactions: layer.count, waiting: routing.count,
            acknowledgements: acknowledgements.count,
            bytes: acknowledgements.reduce(layer.keptBytes) { $0 + ($1?.bytes.count ?? 0) },
            subscriptions: subscriptions.count, dialogFlows: dialogFlows.count,
            parties: parties.count)
    }
}

extension TransactionLayer.Effect {
    fileprivate var bytes: [UInt8] { if case .send(let bytes, _) = self { bytes } else { [] } }
}
