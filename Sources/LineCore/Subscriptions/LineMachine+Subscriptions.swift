import Base
import SIPCore

/// Asking the account's server to tell of numbers and messages (RFC 6665, the subscriber). Begun when the line may
/// register or need not, renewed before it ends, begun anew after every fault: with pauses that double.
extension LineMachine {
    /// Reads off what the line's user is told of the registration whether there is a server to ask.
    mutating func watchRegistration(at now: Instant) {
        guard !subscriptions.isEmpty else { return }
        for output in outputs {
            guard case .registration(let state) = output else { continue }
            switch state {
            case .registered, .notNeeded: beginWatching(at: now)
            case .registering: break
            case .failed: for index in subscriptions.indices { tell(index, .unknown) }
            }
        }
    }

    /// A line that has just registered may be somewhere else, or its server may be another one: all is asked anew.
    private mutating func beginWatching(at now: Instant) {
        guard configuration.account != nil, !isShuttingDown else { return }
        for index in subscriptions.indices {
            subscriptions[index].failures = 0
            subscribe(index, at: now)
        }
    }

    /// A flow to the server is broken. What was asked over it the server tells over it, so it is asked anew over one that
    /// lives.
    mutating func moveWatches(from flow: Flow, at now: Instant) {
        guard !registration.living.isEmpty else { return }
        for index in subscriptions.indices where subscriptions[index].flow?.remote == flow.remote {
            switch subscriptions[index].phase {
            case .asking, .active: subscribe(index, at: now)
            case .off, .pausing, .refused: break
            }
        }
    }

    // MARK: SUBSCRIBE

    /// Begins anew, in a dialog of its own.
    private mutating func subscribe(_ index: Int, at now: Instant) {
        guard let account = configuration.account, !isShuttingDown else { return }
        let watch = subscriptions[index].watch
        abandon(.subscribe(watch))
        waiting.removeAll { $0.matter.isSubscribe(watch) }
        subscriptions[index].begin(callID: identifiers.makeCallID(), tag: identifiers.makeTag())
        timers.cancel(.watch(watch))
        send(.subscribe(watch), to: account.server, at: now)
    }

    /// The way to the server is known.
    mutating func subscribe(_ watch: SubscriptionTarget, over flow: Flow, at now: Instant) {
        guard let index = index(of: watch), subscriptions[index].phase == .asking, let account = configuration.account,
            let target = target(of: watch, account)
        else { return }
        let subscription = subscriptions[index]
        let own = URI.sip(SIPURI(user: configuration.user, host: account.domain))
        var request = SIPRequest(
            .subscribe, target,
            from: NameAddress(own, displayName: configuration.displayName, tag: subscription.tag),
            to: NameAddress(target), callID: subscription.callID, sequence: identifiers.makeSequence())
        complete(&request, subscription, expires: Subscription.expires, contact: contact(on: flow))
        send(request, .subscribe(watch), over: flow, at: now)
    }

    private func target(of watch: SubscriptionTarget, _ account: LineConfiguration.Account) -> URI? {
        switch watch {
        case .number(let number): configuration.address(of: number)?.asInitialRequestURI
        case .messages: .sip(SIPURI(user: configuration.user, host: account.domain))
        }
    }

    private func complete(
        _ request: inout SIPRequest, _ subscription: Subscription, expires: UInt32, contact: NameAddress
    ) {
        request.headers.set(.contact, contact)
        request.headers.set(.event, SIPEvent(subscription.watch.package, id: nil))
        request.headers[.accept] = subscription.watch.mediaType
        request.headers.set(.expires, SIPNumber(expires == 0 ? 0 : max(expires, subscription.minimumExpires)))
        request.headers[.userAgent] = configuration.userAgent
    }

    /// Renews, or ends, what is active: in its dialog.
    private mutating func refresh(_ index: Int, expires: UInt32 = Subscription.expires, at now: Instant) {
        guard var dialog = subscriptions[index].dialog, let flow = subscriptions[index].flow else {
            return subscribe(index, at: now)
        }
        var request = dialog.request(.subscribe)
        subscriptions[index].dialog = dialog
        complete(&request, subscriptions[index], expires: expires, contact: contact(on: flow))
        send(request, in: dialog, .subscribe(subscriptions[index].watch), at: now)
    }

    /// The line is about to leave its server. Best effort: what is not heard ends by itself.
    mutating func endWatching(at now: Instant) {
        for index in subscriptions.indices {
            let watch = subscriptions[index].watch
            timers.cancel(.watch(watch))
            abandon(.subscribe(watch))
            if subscriptions[index].phase == .active { refresh(index, expires: 0, at: now) }
            subscriptions[index].phase = .off
            tell(index, .unknown)
        }
    }

    /// A challenge takes a CSeq of the dialog, if there is one already.
    mutating func skipSequence(of watch: SubscriptionTarget) {
        guard let index = index(of: watch) else { return }
        _ = subscriptions[index].dialog?.request(.subscribe)
    }

    // MARK: Its answers

    mutating func subscribed(
        _ watch: SubscriptionTarget, _ response: SIPResponse, to request: SIPRequest, over flow: Flow, at now: Instant
    ) {
        guard let index = index(of: watch) else { return }
        switch subscriptions[index].phase {
        case .off, .pausing, .refused: return
        case .asking, .active: break
        }
        if subscriptions[index].dialog == nil {
            do throws(SIPParseError) {
                let dialog = try Dialog(sending: request, receiving: response)
                guard subscriptions[index].remoteTag ?? dialog.id.remoteTag == dialog.id.remoteTag else { return }
                subscriptions[index].dialog = dialog
                subscriptions[index].remoteTag = dialog.id.remoteTag
                subscriptions[index].flow = flow
            } catch {
                return pause(index, at: now)
            }
        }
        let asked = (try? request.headers.expires) ?? nil
        let granted = ((try? response.headers.expires) ?? nil) ?? asked ?? Subscription.expires
        if subscriptions[index].phase == .active {
            renewBefore(granted, index, at: now)
        } else {
            // Timer N: without a NOTIFY there is no subscription (RFC 6665 §4.1.2.4).
            timers.set(.watch(watch), at: now + sipTimers.timeout)
        }
    }

    private mutating func renewBefore(_ seconds: UInt32, _ index: Int, at now: Instant) {
        let lasts = Double(min(seconds, 86_400)) * Double.random(in: 0.75...0.9, using: &generator)
        timers.set(.watch(subscriptions[index].watch), at: now + .milliseconds(Int64(max(1, lasts) * 1_000)))
    }

    mutating func subscriptionRejected(_ watch: SubscriptionTarget, _ response: SIPResponse, at now: Instant) {
        guard let index = index(of: watch), subscriptions[index].phase != .off else { return }
        switch response.status.code {
        case 423:
            guard let least = try? response.headers.minExpires, least <= 86_400,
                least > max(Subscription.expires, subscriptions[index].minimumExpires)
            else { return pause(index, at: now) }
            subscriptions[index].minimumExpires = least
            subscribe(index, at: now)
        // The server has forgotten it, as one that was started anew has.
        case 481 where subscriptions[index].phase == .active: subscribe(index, at: now)
        case 403, 404, 405, 410, 416, 481, 489, 501, 603, 604: giveUp(index)
        default: pause(index, after: ((try? response.headers.retryAfter) ?? nil)?.seconds, at: now)
        }
    }

    mutating func subscriptionUnanswered(_ watch: SubscriptionTarget, at now: Instant) {
        guard let index = index(of: watch), subscriptions[index].phase != .off else { return }
        pause(index, at: now)
    }

    mutating func watchDue(_ watch: SubscriptionTarget, at now: Instant) {
        guard let index = index(of: watch) else { return }
        switch subscriptions[index].phase {
        case .active: refresh(index, at: now)
        case .asking: pause(index, at: now)
        case .pausing: subscribe(index, at: now)
        case .off, .refused: break
        }
    }

    private mutating func pause(_ index: Int, after seconds: UInt32? = nil, at now: Instant) {
        tell(index, .unknown)
        let least = Duration.seconds(min(seconds ?? 0, 3_600))
        let pause = max(least, backoff(from: Subscription.firstPause, after: subscriptions[index].failures))
        subscriptions[index].failures += 1
        subscriptions[index].phase = .pausing
        timers.set(.watch(subscriptions[index].watch), at: now + pause)
    }

    private mutating func giveUp(_ index: Int) {
        tell(index, .unknown)
        timers.cancel(.watch(subscriptions[index].watch))
        subscriptions[index].phase = .refused
    }

    // MARK: NOTIFY

    /// Which subscription a dialog of the server belongs to.
    func watch(of dialog: Dialog.ID) -> Int? { subscriptions.firstIndex { $0.isMeant(by: dialog) } }

    mutating func watchTold(
        _ index: Int, _ dialog: Dialog.ID, _ request: SIPRequest, _ transaction: ServerTransactionID, over flow: Flow,
        at now: Instant
    ) {
        do throws(RequestRefusal) {
            guard isOwnServer(flow) else { throw RequestRefusal(.forbidden) }
            let (event, state, sequence): (SIPEvent, SubscriptionState, UInt32)
            do throws(SIPParseError) {
                event = try request.headers.required(.event)
                state = try request.headers.required(.subscriptionState)
                sequence = try request.headers.cSeq.number
            } catch {
                throw RequestRefusal(.badRequest)
            }
            guard event.package == subscriptions[index].watch.package else { throw RequestRefusal(.badEvent) }
            guard subscriptions[index].sequence.map({ $0 < sequence }) ?? true else {
                throw RequestRefusal(.serverInternalError)
            }
            let news = try news(in: request, for: subscriptions[index].watch)
            subscriptions[index].remoteTag = dialog.remoteTag
            subscriptions[index].sequence = sequence
            refreshTarget(index, by: request)
            answer(request, .ok, transaction, at: now)
            take(news, index, at: now)
            turn(index, to: state, at: now)
        } catch {
            answer(request, error.status, because: error.warning, transaction, at: now)
        }
    }

    private mutating func refreshTarget(_ index: Int, by request: SIPRequest) {
        do throws(Dialog.Fault) { try subscriptions[index].dialog?.receive(request) } catch {
            // Its order was judged already; a Contact that means nothing leaves the old one.
        }
    }

    private enum News {
        case none
        case calls(DialogInformation)
        case messages(Int)
    }

    private func news(in request: SIPRequest, for watch: SubscriptionTarget) throws(RequestRefusal) -> News {
        guard !request.body.isEmpty else { return .none }
        guard (try? request.headers.contentType)?.name == watch.mediaType else {
            throw RequestRefusal(.unsupportedMediaType)
        }
        switch watch {
        case .number:
            guard let information = DialogInformation(request.body) else { throw RequestRefusal(.badRequest) }
            return .calls(information)
        case .messages:
            guard let summary = MessageSummary(request.body) else { throw RequestRefusal(.badRequest) }
            return .messages(summary.newVoiceMessages)
        }
    }

    private mutating func take(_ news: News, _ index: Int, at now: Instant) {
        switch news {
        case .none: break
        case .messages(let count): outputs.append(.messagesWaiting(count))
        case .calls(let information):
            let reception = subscriptions[index].calls.take(information)
            if reception != .outdated { tell(index, subscriptions[index].calls.state) }
            // A whole document is what every SUBSCRIBE is answered with.
            let watch = subscriptions[index].watch
            if reception == .incomplete, !sent.values.contains(where: { $0.purpose == .subscribe(watch) }) {
                refresh(index, at: now)
            }
        }
    }

    private mutating func turn(_ index: Int, to state: SubscriptionState, at now: Instant) {
        switch state.phase {
        case .active, .pending, .other:
            subscriptions[index].phase = .active
            subscriptions[index].failures = 0
            renewBefore(state.expires ?? Subscription.expires, index, at: now)
        case .terminated:
            switch state.reason {
            case .rejected, .noresource, .invariant: giveUp(index)
            case .deactivated, .timeout, .probation, .giveup, nil: pause(index, after: state.retryAfter, at: now)
            }
        }
    }

    private func index(of watch: SubscriptionTarget) -> Int? { subscriptions.firstIndex { $0.watch == watch } }

    private mutating func tell(_ index: Int, _ state: WatchedState) {
        guard case .number(let number) = subscriptions[index].watch, subscriptions[index].told != state else { return }
        subscriptions[index].told = state
        outputs.append(.watched(number, state))
    }

    // MARK: Picking up

    /// Takes the call that rings at a watched number: its caller is asked to talk to us instead (RFC 5359 §2.14).
    mutating func pickUp(_ id: LegID, _ number: String, mediaPort: UInt16, at now: Instant) {
        guard let index = index(of: .number(number)), let ringing = subscriptions[index].calls.ringing,
            let callID = ringing.callID, let localTag = ringing.localTag, let remoteTag = ringing.remoteTag,
            let target = configuration.address(of: ringing.remote ?? number)
        else { return outputs.append(.ended(id, .invalidTarget)) }
        var headers = SIPHeaders()
        headers.set(
            .replaces, Replaces(callID: callID, toTag: remoteTag, fromTag: localTag, isEarlyOnly: true))
        headers.set(.require, tokens: ["replaces"])
        beginInvite(id, target, mediaPort: mediaPort, headers: headers, at: now)
    }
}
