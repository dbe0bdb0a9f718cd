import Base
import SDPCore
import SIPCore

/// The terms of one call that is up, and how either end changes them. Either end may hold, resume, move and refresh
/// (RFC 3264, RFC 3261 §14, RFC 3311, RFC 4028).
///
/// Only one offer is outstanding at a time. Each of our offers goes over a newly located flow and names our address on
/// it. So a move is an ordinary offer with a report at its end. Further changes in that time go into one next offer.
///
/// A move does not wait for an answer over a path that is gone. That path counts as a failed transport, which ends the
/// transaction of our outstanding offer (RFC 3261 §17.1.1.2). So another offer may begin (§14.1), and it repeats the
/// changes of the one before it.
package struct OfferAnswer: Sendable {
    /// How many times in a row a far end may name a time before we give up.
    private static let postponementLimit = 3
    /// The longest time that a far end may name, in seconds (RFC 3261 §14.2). A person who presses a key waits for at
    /// most three such times, until the change is reported as failed.
    private static let longestPostponement: UInt32 = 10
    /// The pause before another attempt to move.
    private static let movePause: Duration = .seconds(1)

    /// Our address in our requests.
    package private(set) var contact: NameAddress
    var negotiation: MediaNegotiation
    /// Whether we hold the far end, as agreed last.
    var isHeldHere = false
    var change = Change.none
    /// The changes that the next offer makes.
    var reoffer = PendingReoffer()
    /// Whether the far end is being located for a move while our change is outstanding.
    private var isLocatingMove = false
    /// When to locate the far end again for a move that waits behind an outstanding change.
    private var moveDue: Instant?
    /// How many times in a row the far end named a time for our next attempt.
    private var postponements = 0
    /// The session timer of the call. Nil: the call has no timer.
    var session: SessionTimer?
    /// When the next action for the session is due.
    private var sessionDue: Instant?
    /// Whether the far end supports UPDATE, by its Allow.
    private var allowsUpdate: Bool
    /// Whether our 2xx has no ACK yet.
    var awaitsACK: Bool
    /// Whether that is the 2xx that answered the call.
    var isNew: Bool
    /// Whether this end sent the INVITE, and so owns the Call-ID. That end waits longer if both offer at once.
    private let isCaller: Bool

    /// - Parameters:
    ///   - isCaller: Whether this end owns the Call-ID.
    /// - awaitsACK: Whether our 2xx has no ACK yet.
    package init(
        _ negotiation: MediaNegotiation, contact: NameAddress, session: SessionTimer?, allowsUpdate: Bool,
        isCaller: Bool, awaitsACK: Bool, at now: Instant
    ) {
        (self.negotiation, self.contact) = (negotiation, contact)
        (self.allowsUpdate, self.isCaller, self.awaitsACK) = (allowsUpdate, isCaller, awaitsACK)
        isNew = awaitsACK
        if negotiation.agreed?.isAwaitedByICE == true { reoffer.purposes = .leavesICE }
        hold(session, at: now)
    }

    /// The current terms. Nil before the first answer.
    package var agreed: Agreement? { negotiation.agreed }

    package var deadline: Instant? {
        let postponedUntil: Instant? = if case .postponed(_, let until) = change { until } else { nil }
        return [postponedUntil, moveDue, sessionDue].compactMap(\.self).min()
    }

    package mutating func deadlineReached(at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        if case .postponed(let postponed, let until) = change, until <= now {
            change = .none
            reoffer = reoffer.over(postponed)
            effects += proceed()
        }
        if let due = moveDue, due <= now {
            moveDue = nil
            effects += proceed()
        }
        if let session, let due = sessionDue, due <= now {
            guard now < session.expiry else { return effects + [.end(.unreachable)] }
            reoffer.purposes.insert(.refreshes)
            sessionDue = session.due(after: now)
            effects += proceed()
        }
        return effects
    }

    mutating func hold(_ session: SessionTimer?, at now: Instant) {
        self.session = session
        sessionDue = session?.due(after: now)
    }

    // MARK: Our offers

    package mutating func want(_ wanted: PendingReoffer) -> [Effect] {
        reoffer = wanted.over(reoffer)
        return proceed()
    }

    /// Offers once more without protection, because the far end rejected the protection but not the call.
    package mutating func offerInClear() -> [Effect] {
        negotiation.offerInClear()
        return want(PendingReoffer(.agrees))
    }

    /// Begins the wanted change, as soon as one may begin (RFC 3261 §14.1).
    mutating func proceed() -> [Effect] {
        if negotiation.agreed != nil { reoffer.purposes.remove(.agrees) }
        if reoffer.moves, isOut {
            guard !isLocatingMove else { return [] }
            isLocatingMove = true
            return [.locate]
        }
        guard !reoffer.isEmpty, isSettled else { return [] }
        guard reoffer != PendingReoffer(held: isHeldHere) else { return [.settled(takeReoffer(), negotiation.agreed)] }
        change = .locating
        return [.locate]
    }

    /// Whether another offer may be made. A move does not wait for the ACK of the far end's offer, because that ACK
    /// goes to the address that we left.
    private var isSettled: Bool {
        guard case .none = change, !negotiation.isOffering else { return false }
        return !awaitsACK || reoffer.moves && !isNew
    }

    /// Whether the far end has yet to answer our change.
    var isOut: Bool {
        switch change {
        case .offering, .refreshing: true
        case .none, .locating, .postponed: false
        }
    }

    private mutating func takeReoffer() -> PendingReoffer {
        defer { reoffer = PendingReoffer() }
        return reoffer
    }

    /// Joins a move to our outstanding offer, if that offer already names our address on the located flow. The move is
    /// then reported with it.
    /// - Returns: Whether to send that offer again at once.
    package mutating func joinsMove(over flow: Flow) -> Bool {
        guard case .offering(var offer) = change, reoffer.moves, reoffer.ice == nil,
            negotiation.local.host == flow.local.host
        else { return false }
        reoffer.purposes.remove(.moves)
        offer.reoffer.purposes.insert(.moves)
        isLocatingMove = false
        change = .offering(offer)
        return true
    }

    /// Withdraws our outstanding change, because its path is gone. The next offer includes it.
    private mutating func supersede() {
        guard reoffer.moves else { return }
        switch change {
        case .none, .locating, .postponed: return
        case .refreshing: reoffer.purposes.insert(.refreshes)
        case .offering(let offer):
            takeBack(offer)
            reoffer = reoffer.over(offer.reoffer)
        }
        change = .locating
    }

    /// Writes our offer for the located far end.
    /// - Parameter dialog: The dialog of the call, which carries the offer.
    /// - Returns: A re-INVITE, or an UPDATE that only refreshes the session. Nil if there is nothing to offer now.
    package mutating func offer(over flow: Flow, in dialog: inout Dialog, context: inout LineContext) -> SIPRequest? {
        isLocatingMove = false
        supersede()
        guard case .locating = change else { return nil }
        change = .none
        // The far end's offer came first. After its ACK, `proceed` checks again which changes are wanted.
        guard isSettled else { return nil }
        // The far end may have made the first offer itself.
        if negotiation.agreed != nil { reoffer.purposes.remove(.agrees) }
        guard !reoffer.isEmpty else { return nil }
        let offer = Offer(reoffer: takeReoffer(), contact: contact, host: negotiation.local.host)
        let stays = offer.reoffer.onlyRefreshes && offer.host == flow.local.host
        if stays && allowsUpdate { return refresh(in: &dialog, context: context) }
        let isNamed = contact.uri.sip?.userinfo != nil
        contact = isNamed ? context.contact(on: flow) : context.contact(on: flow).withoutUser
        negotiation.move(to: flow.local.host)
        if let ice = offer.reoffer.ice { negotiation.gathered(ice) }
        var request = dialog.request(.invite)
        context.complete(&request.headers, contact: contact)
        context.askSession(&request.headers, session)
        let held = offer.reoffer.held ?? isHeldHere
        let description =
            stays ? negotiation.offerAgain(held: held) : negotiation.offer(held: held, using: &context.generator)
        request.body = description.bytes
        change = .offering(offer)
        return request
    }

    /// An UPDATE without a session description, which only refreshes the session (RFC 4028 §7.4, RFC 3311 §5.1).
    private mutating func refresh(in dialog: inout Dialog, context: LineContext) -> SIPRequest {
        var request = dialog.request(.update)
        context.introduce(&request.headers, contact: contact)
        context.askSession(&request.headers, session)
        change = .refreshing
        return request
    }

    /// Handles that the far end could not be located, for now.
    package mutating func notLocated(at now: Instant) -> [Effect] {
        isLocatingMove = false
        if reoffer.moves, isOut { moveDue = now + Self.movePause }
        guard case .locating = change else { return [] }
        return flowIsMissing(for: takeReoffer(), at: now)
    }

    /// Attempts a move again, until its owner ends the call. In a new network, our address may come first, and the
    /// route to the far end a second later.
    private mutating func flowIsMissing(for wanted: PendingReoffer, at now: Instant) -> [Effect] {
        guard !wanted.agrees else { return [.end(.unreachable)] }
        let again = PendingReoffer(wanted.purposes.intersection(.refreshes).union(.moves), ice: wanted.ice)
        change = wanted.moves ? .postponed(again, until: now + Self.movePause) : .none
        let failed = PendingReoffer(held: wanted.held, wanted.moves ? [] : wanted.purposes.intersection(.refreshes))
        return failed.isEmpty ? [] : [.settled(failed, nil)]
    }

    /// Our re-INVITE is sent again in another form. Responses to the first form no longer count.
    package mutating func repeated() {
        guard case .offering(var offer) = change else { return }
        (offer.progress, offer.answer) = (ReliableSequence(), nil)
        change = .offering(offer)
    }

    // MARK: Responses to our offers

    /// Handles a provisional response to our re-INVITE. An answer in it takes effect only with the 2xx, because a
    /// re-INVITE that fails in the end changes nothing (RFC 6141 §3.1).
    /// - Returns: The sequence number that our PRACK acknowledges.
    package mutating func progressed(_ response: SIPResponse) -> RSeq? {
        guard case .offering(var offer) = change else { return nil }
        guard case .next(let sequence) = offer.progress.take(response) else { return nil }
        offer.answer = offer.answer ?? LineMachine.description(in: response)
        change = .offering(offer)
        return sequence
    }

    /// Handles a 2xx to our re-INVITE or our UPDATE.
    package mutating func accepted(_ response: SIPResponse, context: LineContext, at now: Instant) -> [Effect] {
        switch change {
        case .none, .locating, .postponed: return []
        case .refreshing:
            change = .none
            postponements = 0
            hold(context.grantedSession(response, at: now), at: now)
            return proceed()
        case .offering(let offer):
            let answer = offer.answer ?? LineMachine.description(in: response)
            let before = negotiation.agreed
            let agreed = answer.flatMap { try? negotiation.conclude($0) }
            if agreed == nil { takeBack(offer) } else { isHeldHere = offer.reoffer.held ?? isHeldHere }
            (change, awaitsACK) = (.none, false)
            postponements = 0
            hold(context.grantedSession(response, at: now), at: now)
            guard let before else { return agreed.map { [.agreed($0)] + proceed() } ?? [.end(.incompatible)] }
            return proof(offer.reoffer) + [.settled(offer.reoffer, agreed)]
                + offer.reoffer.news(from: before, to: agreed) + proceed()
        }
    }

    /// Any response to our re-INVITE shows that the far end hears us.
    private func proof(_ wanted: PendingReoffer) -> [Effect] { wanted.proves ? [.proven] : [] }

    /// Handles another final response.
    package mutating func rejected(_ response: SIPResponse, context: inout LineContext, at now: Instant) -> [Effect] {
        var proof: [Effect] = []
        if case .offering(var offer) = change, response.status != .callDoesNotExist, response.status != .requestTimeout
        {
            proof = self.proof(offer.reoffer)
            offer.reoffer.purposes.remove(.proves)
            change = .offering(offer)
        }
        return proof + rejectedUnproven(response, context: &context, at: now)
    }

    private mutating func rejectedUnproven(
        _ response: SIPResponse, context: inout LineContext, at now: Instant
    ) -> [Effect] {
        let postponed = postpone(after: response, context: &context, at: now)
        guard postponed.isEmpty else { return postponed }
        switch (change, response.status) {
        case (.none, _), (.locating, _), (.postponed, _): return []
        case (_, .callDoesNotExist): return [.gone]
        case (.offering, .requestTimeout): return unanswered(.silent, at: now)
        case (.refreshing, .methodNotAllowed), (.refreshing, SIPStatus(501)):
            // The far end lists UPDATE in its Allow, but does not support it. A re-INVITE does the same.
            allowsUpdate = false
            reoffer.purposes.insert(.refreshes)
            return failed()
        case (.offering, _), (.refreshing, _): return failed()
        }
    }

    /// Handles our request that got no answer. A far end that does not answer inside a call has left it (RFC 3261
    /// §12.2.1.2), unless one end has moved. If the far end moved, we refused its offer because our own was
    /// outstanding, and it will offer again. If we moved, the owner of the move decides about the call. An unanswered
    /// refresh does not end the call: the session's expiry does.
    package mutating func unanswered(_ silence: Silence, at now: Instant) -> [Effect] {
        guard case .offering(let offer) = change else { return failed() }
        guard silence == .silent else {
            takeBack(offer)
            return flowIsMissing(for: offer.reoffer, at: now) + proceed()
        }
        let isElsewhere = reoffer.moves || offer.reoffer.moves || offer.isCrossed
        return isElsewhere || offer.reoffer.onlyRefreshes ? failed() : [.end(.unreachable)]
    }

    private mutating func failed() -> [Effect] {
        switch change {
        case .none, .locating, .postponed: return []
        case .refreshing:
            // The call lasts until its session expires. Another refresh follows before that.
            change = .none
            return proceed()
        case .offering(let offer):
            takeBack(offer)
            change = .none
            // A call without terms has no terms to return to.
            guard negotiation.agreed != nil else { return [.end(.incompatible)] }
            return [.settled(offer.reoffer, nil)] + proceed()
        }
    }

    /// Restores our former address and the former terms, because our offer failed.
    private mutating func takeBack(_ offer: Offer) {
        negotiation.withdraw()
        negotiation.move(to: offer.host)
        contact = offer.contact
    }

    /// Asks again later for a change that the far end could not accept now. Both ends offered at once (RFC 3261 §14.1,
    /// RFC 3311 §5.3), or the far end named a time for another attempt (§21.5.1, §21.5.4).
    private mutating func postpone(
        after response: SIPResponse, context: inout LineContext, at now: Instant
    ) -> [Effect] {
        guard let pause = pause(after: response, context: &context) else { return [] }
        let postponed: PendingReoffer
        switch change {
        case .none, .locating, .postponed: return []
        case .refreshing: postponed = PendingReoffer(.refreshes)
        case .offering(let offer):
            takeBack(offer)
            postponed = offer.reoffer
        }
        if response.status != .requestPending { postponements += 1 }
        change = .postponed(postponed, until: now + pause)
        return [.delayed(postponed, by: pause)]
    }

    /// How long to wait before the next attempt. Nil: the offer is refused for good.
    private func pause(after response: SIPResponse, context: inout LineContext) -> Duration? {
        switch response.status {
        case .requestPending:
            // In units of 10 ms. The end that owns the Call-ID waits longer, so that one of the two goes first (RFC
            // 3261 §14.1).
            let range = isCaller ? 210...400 : 0...200
            return .milliseconds(10 * Int.random(in: range, using: &context.generator))
        case .serverInternalError, .serviceUnavailable:
            guard postponements < Self.postponementLimit, let named = try? response.headers.retryAfter,
                named.seconds <= Self.longestPostponement
            else { return nil }
            return .seconds(max(1, named.seconds))
        default: return nil
        }
    }
}
