import Base
import SIPCore

/// The subscriptions to numbers and messages at the account's server (RFC 6665, the subscriber). They begin when the
/// line has registered, or need not register. They are renewed before they end. After a fault they begin again, with
/// pauses that double.
package struct Subscriptions: Sendable {
    package enum Effect: Sendable {
        /// Locate the account's server; `subscribe(_:over:)` follows.
        case locate(SubscriptionTarget)
        /// Give up the requests for this target that are outstanding or wait for their hop.
        case abandon(SubscriptionTarget)
        case send(SIPRequest, SubscriptionTarget, over: Flow)
        /// Send a request in the dialog of the subscription.
        case sendInDialog(SIPRequest, Dialog, SubscriptionTarget)
        /// The state of a watched number.
        case watched(String, WatchedState)
        /// The number of new voice messages.
        case messagesWaiting(Int)
    }

    /// The longest times that we accept from a server, in seconds.
    private static let longestExpires: UInt32 = 86_400
    private static let longestRetryAfter: UInt32 = 3_600

    /// The subscriptions, in the order of the configuration.
    private var subscriptions: [Subscription]
    /// When each subscription is renewed or begins again.
    private var timers = DeadlineTable<SubscriptionTarget>()

    /// - Parameter targets: Those beyond `SubscriptionTarget.limit` are left out.
    package init(_ targets: [SubscriptionTarget]) {
        subscriptions = targets.prefix(SubscriptionTarget.limit).map { Subscription($0) }
    }

    package var count: Int { subscriptions.count }

    package var deadline: Instant? { timers.earliest }

    package mutating func deadlineReached(in context: inout LineContext, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        while let target = timers.popDue(at: now) {
            guard let index = index(of: target) else { continue }
            switch subscriptions[index].phase {
            case .active: effects += refresh(index, in: &context)
            case .asking: effects += pause(index, in: &context, at: now)
            case .pausing: effects += subscribe(index, in: &context)
            case .off, .refused: break
            }
        }
        return effects
    }

    // MARK: Registration and flows

    /// Begins all subscriptions again. A line that has just registered may have another address, or another server.
    package mutating func begin(in context: inout LineContext) -> [Effect] {
        var effects: [Effect] = []
        for index in subscriptions.indices {
            subscriptions[index].failures = 0
            effects += subscribe(index, in: &context)
        }
        return effects
    }

    /// Marks watched numbers as unknown, because the line is not registered.
    package mutating func suspend() -> [Effect] { subscriptions.indices.flatMap { tell($0, .unknown) } }

    /// Moves subscriptions away from a broken flow. The server sends NOTIFYs over the flow of their SUBSCRIBE, so those
    /// subscriptions begin again over a flow that lives.
    package mutating func move(from flow: Flow, in context: inout LineContext) -> [Effect] {
        var effects: [Effect] = []
        for index in subscriptions.indices where subscriptions[index].flow?.remote == flow.remote {
            switch subscriptions[index].phase {
            case .asking, .active: effects += subscribe(index, in: &context)
            case .off, .pausing, .refused: break
            }
        }
        return effects
    }

    /// Ends all subscriptions before the line leaves its server. A subscription whose end the server does not receive
    /// expires.
    package mutating func end(in context: inout LineContext) -> [Effect] {
        var effects: [Effect] = []
        for index in subscriptions.indices {
            let target = subscriptions[index].target
            timers.cancel(target)
            effects.append(.abandon(target))
            if subscriptions[index].phase == .active { effects += refresh(index, expires: 0, in: &context) }
            subscriptions[index].phase = .off
            effects += tell(index, .unknown)
        }
        return effects
    }

    // MARK: SUBSCRIBE

    /// Begins again, in a new dialog.
    private mutating func subscribe(_ index: Int, in context: inout LineContext) -> [Effect] {
        guard context.configuration.account != nil else { return [] }
        let target = subscriptions[index].target
        subscriptions[index].begin(callID: context.identifiers.makeCallID(), tag: context.identifiers.makeTag())
        timers.cancel(target)
        return [.abandon(target), .locate(target)]
    }

    /// Sends SUBSCRIBE to the located server.
    package mutating func subscribe(
        _ target: SubscriptionTarget, over flow: Flow, in context: inout LineContext
    ) -> [Effect] {
        guard let index = index(of: target), subscriptions[index].phase == .asking,
            let account = context.configuration.account,
            let resource = target.resource(of: account, in: context.configuration)
        else { return [] }
        let subscription = subscriptions[index]
        let own = URI.sip(SIPURI(user: context.configuration.user, host: account.domain))
        var request = SIPRequest(
            .subscribe, resource,
            from: NameAddress(own, displayName: context.configuration.displayName, tag: subscription.tag),
            to: NameAddress(resource), callID: subscription.callID, sequence: context.identifiers.makeSequence())
        subscription.complete(&request, expires: Subscription.expires, over: flow, in: context)
        subscriptions[index].isOut = true
        return [.send(request, target, over: flow)]
    }

    /// Renews or ends an active subscription, in its dialog.
    private mutating func refresh(
        _ index: Int, expires: UInt32 = Subscription.expires, in context: inout LineContext
    ) -> [Effect] {
        guard var dialog = subscriptions[index].dialog, let flow = subscriptions[index].flow else {
            return subscribe(index, in: &context)
        }
        var request = dialog.request(.subscribe)
        subscriptions[index].dialog = dialog
        subscriptions[index].complete(&request, expires: expires, over: flow, in: context)
        subscriptions[index].isOut = true
        return [.sendInDialog(request, dialog, subscriptions[index].target)]
    }

    /// Uses up a CSeq of the dialog, if there is one, for a request that is sent again after a challenge.
    package mutating func skipSequence(of target: SubscriptionTarget) {
        guard let index = index(of: target) else { return }
        _ = subscriptions[index].dialog?.request(.subscribe)
    }

    // MARK: Responses to SUBSCRIBE

    package mutating func accepted(
        _ target: SubscriptionTarget, _ response: SIPResponse, to request: SIPRequest, over flow: Flow,
        in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        guard let index = index(of: target) else { return [] }
        subscriptions[index].isOut = false
        switch subscriptions[index].phase {
        case .off, .pausing, .refused: return []
        case .asking, .active: break
        }
        if subscriptions[index].dialog == nil {
            do throws(SIPParseError) {
                let dialog = try Dialog(sending: request, receiving: response)
                guard subscriptions[index].remoteTag ?? dialog.id.remoteTag == dialog.id.remoteTag else { return [] }
                subscriptions[index].dialog = dialog
                subscriptions[index].remoteTag = dialog.id.remoteTag
                subscriptions[index].flow = flow
            } catch {
                return pause(index, in: &context, at: now)
            }
        }
        let asked = (try? request.headers.expires) ?? nil
        let granted = ((try? response.headers.expires) ?? nil) ?? asked ?? Subscription.expires
        subscriptions[index].granted = granted
        if subscriptions[index].phase == .active {
            renewBefore(granted, index, in: &context, at: now)
        } else {
            // Timer N: without a NOTIFY the subscription does not exist (RFC 6665 §4.1.2.4).
            timers.set(target, at: now + context.timers.timeout)
        }
        return []
    }

    private mutating func renewBefore(
        _ seconds: UInt32, _ index: Int, in context: inout LineContext, at now: Instant
    ) {
        let part = Double.random(in: 0.75...0.9, using: &context.generator)
        let lasts = Double(min(seconds, Self.longestExpires)) * part
        timers.set(subscriptions[index].target, at: now + .milliseconds(Int64(max(1, lasts) * 1_000)))
    }

    package mutating func rejected(
        _ target: SubscriptionTarget, _ response: SIPResponse, in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        guard let index = index(of: target) else { return [] }
        subscriptions[index].isOut = false
        guard subscriptions[index].phase != .off else { return [] }
        switch response.status.code {
        case 423:
            guard let least = try? response.headers.minExpires, least <= Self.longestExpires,
                least > max(Subscription.expires, subscriptions[index].minimumExpires)
            else { return pause(index, in: &context, at: now) }
            subscriptions[index].minimumExpires = least
            return subscribe(index, in: &context)
        // The server has forgotten the subscription, for example after a restart.
        case 481 where subscriptions[index].phase == .active: return subscribe(index, in: &context)
        case 403, 404, 405, 410, 416, 481, 489, 501, 603, 604: return giveUp(index)
        default:
            let named = ((try? response.headers.retryAfter) ?? nil)?.seconds
            return pause(index, after: named, in: &context, at: now)
        }
    }

    package mutating func unanswered(
        _ target: SubscriptionTarget, in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        guard let index = index(of: target) else { return [] }
        subscriptions[index].isOut = false
        return subscriptions[index].phase == .off ? [] : pause(index, in: &context, at: now)
    }

    private mutating func pause(
        _ index: Int, after seconds: UInt32? = nil, in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        let least = Duration.seconds(min(seconds ?? 0, Self.longestRetryAfter))
        let pause = max(
            least, context.backoff(from: Subscription.firstPause, after: subscriptions[index].failures))
        subscriptions[index].failures += 1
        subscriptions[index].phase = .pausing
        timers.set(subscriptions[index].target, at: now + pause)
        return tell(index, .unknown)
    }

    private mutating func giveUp(_ index: Int) -> [Effect] {
        timers.cancel(subscriptions[index].target)
        subscriptions[index].phase = .refused
        return tell(index, .unknown)
    }

    // MARK: NOTIFY

    /// Whether the server's dialog belongs to a subscription.
    package func owns(_ dialog: Dialog.ID) -> Bool { subscriptions.contains { $0.isMeant(by: dialog) } }

    /// Reads a NOTIFY of the account's server in a dialog for which `owns` is true.
    /// - Returns: The effects after its 200.
    package mutating func notified(
        _ dialog: Dialog.ID, _ request: SIPRequest, in context: inout LineContext, at now: Instant
    ) throws(RequestRefusal) -> [Effect] {
        guard let index = subscriptions.firstIndex(where: { $0.isMeant(by: dialog) }) else {
            throw RequestRefusal(.callDoesNotExist)
        }
        let notification = try Notification(request, about: subscriptions[index].target)
        guard subscriptions[index].takesInOrder(notification.sequence) else {
            throw RequestRefusal(.serverInternalError)
        }
        subscriptions[index].remoteTag = dialog.remoteTag
        subscriptions[index].refreshTarget(by: request)
        return take(notification.content, index, in: &context)
            + turn(index, to: notification.state, in: &context, at: now)
    }

    /// Begins a subscription again if its NOTIFYs from now on would all be rejected, as this one was.
    package mutating func refused(_ dialog: Dialog.ID, in context: inout LineContext) -> [Effect] {
        guard let index = subscriptions.firstIndex(where: { $0.isMeant(by: dialog) }),
            subscriptions[index].isCountedAnew
        else { return [] }
        return subscribe(index, in: &context)
    }

    private mutating func take(
        _ content: Notification.Content, _ index: Int, in context: inout LineContext
    ) -> [Effect] {
        switch content {
        case .none: return []
        case .messages(let count): return [.messagesWaiting(count)]
        case .calls(let information):
            let reception = subscriptions[index].calls.take(information)
            let told = reception == .outdated ? [] : tell(index, subscriptions[index].calls.state)
            // The server answers every SUBSCRIBE with a full document, so an outstanding one is enough.
            guard reception == .incomplete, !subscriptions[index].isOut else { return told }
            return told + refresh(index, in: &context)
        }
    }

    private mutating func turn(
        _ index: Int, to state: SubscriptionState, in context: inout LineContext, at now: Instant
    ) -> [Effect] {
        switch state.phase {
        case .active, .pending, .other:
            let isNew = subscriptions[index].phase != .active
            subscriptions[index].phase = .active
            subscriptions[index].failures = 0
            // A NOTIFY without a time does not extend the time that the response granted.
            if isNew || state.expires != nil {
                let seconds = state.expires ?? subscriptions[index].granted ?? Subscription.expires
                renewBefore(seconds, index, in: &context, at: now)
            }
            return []
        case .terminated:
            switch state.reason {
            case .rejected, .noresource, .invariant: return giveUp(index)
            case .deactivated, .timeout, .probation, .giveup, nil:
                return pause(index, after: state.retryAfter, in: &context, at: now)
            }
        }
    }

    private func index(of target: SubscriptionTarget) -> Int? { subscriptions.firstIndex { $0.target == target } }

    private mutating func tell(_ index: Int, _ state: WatchedState) -> [Effect] {
        guard case .number(let number) = subscriptions[index].target, subscriptions[index].told != state else {
            return []
        }
        subscriptions[index].told = state
        return [.watched(number, state)]
    }

    // MARK: Picking up

    /// The call that rings at a watched number. Nil if no call rings.
    package func ringing(at number: String) -> RingingCall? {
        guard let index = index(of: .number(number)), let ringing = subscriptions[index].calls.ringing else {
            return nil
        }
        if let callID = ringing.callID, let localTag = ringing.localTag, let remoteTag = ringing.remoteTag {
            let replaces = Replaces(callID: callID, toTag: remoteTag, fromTag: localTag, isEarlyOnly: true)
            return .named(replaces, caller: ringing.remote)
        }
        return ringing.remoteTarget.flatMap { Self.pickupCode($0, for: number) }.map { .code($0) } ?? .unnamed
    }

    /// The FreeSWITCH code for picking up, which it names as the target of the call: `sip:**1003@server`. Another
    /// target may be the caller, which this must not call.
    private static func pickupCode(_ target: String, for number: String) -> String? {
        guard let user = try? URI(target).sip?.user, user.first == "*", user != number, user.hasSuffix(number) else {
            return nil
        }
        return user
    }

    /// How to pick up the call that rings at a watched number.
    package enum RingingCall: Equatable, Sendable {
        /// With the Replaces header for our INVITE (RFC 5359 §2.14). The caller is given if the phones name one.
        case named(Replaces, caller: String?)
        /// By calling this number at the server.
        case code(String)
        /// The server does not identify the call.
        case unnamed
    }
}
