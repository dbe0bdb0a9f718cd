import Base
import SDPCore
import SIPCore

/// Changing the terms of a call that is up: hold, resume and move (RFC 3261 §14.1).
///
/// Each offer leaves over a way that was just looked for, and names it as ours, so that a move is nothing but an offer
/// that somebody waits for.
extension LineMachine {
    mutating func change(_ id: LegID, _ reoffer: PendingReoffer, at now: Instant) {
        switch legs[id] {
        case nil, .leaving: break
        case .placing, .inviting, .offered: settle(id, reoffer, nil)
        case .established(var established):
            established.reoffer = reoffer.over(established.reoffer)
            legs[id] = .established(established)
            proceed(id, at: now)
        }
    }

    /// Begins the change that is wished for, as soon as one may begin.
    mutating func proceed(_ id: LegID, at now: Instant) {
        guard case .established(var established) = legs[id], !established.reoffer.isEmpty, established.isSettled
        else { return }
        if established.reoffer == PendingReoffer(held: established.isHeldHere) {
            let reoffer = established.takePendingReoffer()
            legs[id] = .established(established)
            return settle(id, reoffer, established.negotiation.agreed)
        }
        established.change = .locating
        legs[id] = .established(established)
        send(.change(id), to: hop(of: established.dialog), at: now)
    }

    /// The way is known: our offer leaves.
    mutating func offerChange(_ id: LegID, over flow: Flow, at now: Instant) {
        guard case .established(var established) = legs[id], established.change == .locating else { return }
        established.change = .none
        guard established.isSettled else {
            // The far end's offer was quicker; behind its ACK the reoffer is looked at again.
            legs[id] = .established(established)
            return
        }
        let offer = Leg.Established.Offer(
            reoffer: established.takePendingReoffer(), contact: established.contact,
            host: established.negotiation.local.host)
        let stays = offer.reoffer.onlyRefreshes && offer.host == flow.local.host
        if stays && established.allowsUpdate { return refresh(id, established, over: flow, at: now) }
        let isNamed = established.contact.uri.sip?.userinfo != nil
        established.contact = isNamed ? context.contact(on: flow) : context.contact(on: flow).withoutUser
        established.negotiation.move(to: flow.local.host)
        var request = established.dialog.request(.invite)
        complete(&request.headers, contact: established.contact)
        askSession(&request.headers, established.session)
        let held = offer.reoffer.held ?? established.isHeldHere
        let description =
            stays
            ? established.negotiation.offerAgain() : established.negotiation.offer(held: held, using: &context.generator)
        request.body = description.bytes
        established.change = .offering(offer)
        legs[id] = .established(established)
        send(request, .reinvite(id), over: flow, at: now)
    }

    /// There is no way to the far end, for now.
    mutating func changeUnsent(_ id: LegID) {
        guard case .established(var established) = legs[id], established.change == .locating else { return }
        established.change = .none
        let reoffer = established.takePendingReoffer()
        legs[id] = .established(established)
        settle(id, reoffer, nil)
    }

    // MARK: What the far end says to it

    mutating func changed(_ id: LegID, _ response: SIPResponse, at now: Instant) {
        guard case .established(var established) = legs[id], case .offering(let offer) = established.change else {
            return
        }
        let answer = offer.answer ?? Self.description(in: response)
        let agreed = answer.flatMap { try? established.negotiation.conclude($0) }
        if agreed == nil {
            established.takeBack(offer)
        } else {
            established.isHeldHere = offer.reoffer.held ?? established.isHeldHere
        }
        established.change = .none
        established.postponements = 0
        established.session = grantedSession(response, at: now)
        legs[id] = .established(established)
        armSession(id, at: now)
        settle(id, offer.reoffer, agreed)
        proceed(id, at: now)
    }

    mutating func changeRejected(_ id: LegID, _ response: SIPResponse, at now: Instant) {
        guard !postpone(id, after: response, at: now) else { return }
        switch response.status {
        case .callDoesNotExist:
            guard case .established = legs[id] else { return }
            finish(id, .hungUpThere, at: now)
        case .requestTimeout: changeUnanswered(id, .silent, at: now)
        default: changeFailed(id, at: now)
        }
    }

    /// Asks again later what the far end could not take just now: both offered at once (RFC 3261 §14.1,
    /// RFC 3311 §5.3), or it says itself when (§21.5.1, §21.5.4).
    mutating func postpone(_ id: LegID, after response: SIPResponse, at now: Instant) -> Bool {
        guard case .established(var established) = legs[id], let pause = pause(id, established, response) else {
            return false
        }
        switch established.change {
        case .offering(let offer):
            established.takeBack(offer)
            established.change = .postponed(offer.reoffer)
            if offer.reoffer.held != nil { outputs.append(.holdDelayed(id, by: pause)) }
        case .refreshing: established.change = .postponed(PendingReoffer(refreshes: true))
        case .none, .locating, .postponed: return false
        }
        if response.status != .requestPending { established.postponements += 1 }
        legs[id] = .established(established)
        timers.set(.glare(id), at: now + pause)
        return true
    }

    /// Nil: it is refused for good.
    private mutating func pause(
        _ id: LegID, _ established: Leg.Established, _ response: SIPResponse
    ) -> Duration? {
        switch response.status {
        case .requestPending: return glarePause(id)
        case .serverInternalError, .serviceUnavailable:
            guard established.postponements < Leg.Established.postponementLimit,
                let named = try? response.headers.retryAfter, named.seconds <= Leg.Established.longestPostponement
            else { return nil }
            return .seconds(max(1, named.seconds))
        default: return nil
        }
    }

    /// A far end that is silent inside a call has left it (RFC 3261 §12.2.1.2), unless one of us is elsewhere: when it
    /// is the far end, its own offer was refused for ours and comes again; when it is we, whoever wants the move decides
    /// what becomes of the call. A session that was to be refreshed has its own end.
    mutating func changeUnanswered(_ id: LegID, _ silence: Silence, at now: Instant) {
        guard case .established(let established) = legs[id], case .offering(let offer) = established.change else {
            return
        }
        switch silence {
        case .silent
        where !established.reoffer.moves && !offer.reoffer.moves && !offer.isCrossed && !offer.reoffer.onlyRefreshes:
            sendBye(id, established.dialog, .unreachable, at: now)
        case .silent, .unsent: changeFailed(id, at: now)
        }
    }

    private mutating func changeFailed(_ id: LegID, at now: Instant) {
        guard case .established(var established) = legs[id], case .offering(let offer) = established.change else {
            return
        }
        established.takeBack(offer)
        established.change = .none
        legs[id] = .established(established)
        settle(id, offer.reoffer, nil)
        proceed(id, at: now)
    }

    /// In units of 10 ms: the end that owns the Call-ID waits longer, so that one of both goes first
    /// (RFC 3261 §14.1).
    private mutating func glarePause(_ id: LegID) -> Duration {
        let range = id.origin == .local ? 210...400 : 0...200
        return .milliseconds(10 * Int.random(in: range, using: &context.generator))
    }

    mutating func offerAfterGlare(_ id: LegID, at now: Instant) {
        guard case .established(var established) = legs[id], case .postponed(let reoffer) = established.change else {
            return
        }
        established.change = .none
        established.reoffer = established.reoffer.over(reoffer)
        legs[id] = .established(established)
        proceed(id, at: now)
    }

    /// Tells whoever wished what became of it.
    private mutating func settle(_ id: LegID, _ reoffer: PendingReoffer, _ agreed: NegotiatedMedia?) {
        if reoffer.held != nil { outputs.append(.holdSettled(id, agreed)) }
        if reoffer.moves { outputs.append(.moved(id, agreed)) }
    }
}

extension Leg.Established {
    /// What the offer that is about to leave asks.
    fileprivate mutating func takePendingReoffer() -> PendingReoffer {
        defer { reoffer = PendingReoffer() }
        return reoffer
    }
}
