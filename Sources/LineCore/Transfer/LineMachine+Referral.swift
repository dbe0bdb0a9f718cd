import Base
import SIPCore

/// Being asked by a far end to call somebody else (RFC 5589 §6, the transferee). Only the far end of an established
/// call can ask, from where calls are accepted; the line's user decides.
extension LineMachine {
    /// Only who talks to us already may have us call somebody (RFC 3515 §5). Whoever asks outside of the call names it, which
    /// nobody can who has not seen its messages (RFC 4538 §4), and asks by the way that those come.
    mutating func receivedReferralOutside(
        _ request: SIPRequest, _ transaction: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        let named: TargetDialog?
        do throws(SIPParseError) { named = try request.headers.targetDialog } catch {
            return answer(request, .badRequest, transaction, at: now)
        }
        let leg = legs.first { leg in
            guard case .established(let established) = leg.value, named?.names(established.dialog.id) == true else {
                return false
            }
            return isOnPath(flow, of: leg.key)
        }
        guard let leg else { return answer(request, .forbidden, transaction, at: now) }
        receivedReferral(leg.key, request, transaction, over: flow, at: now)
    }

    mutating func receivedReferral(
        _ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        do throws(RequestRefusal) {
            guard case .established(let established) = legs[id] else { throw RequestRefusal(.forbidden) }
            // One at a time: what the person hears is one call that turns into another.
            guard referrals[id] == nil, !isShuttingDown else { throw RequestRefusal(.requestPending) }
            var referral = try referral(in: request)
            var response = request.response(.accepted, tag: identifiers.makeTag())
            response.headers.set(.contact, established.contact)
            referral.dialog = try newDialog(of: request, response)
            referrals[id] = referral
            timers.set(.referral(id), at: now + sipTimers.timeout)
            if !referral.isTold { response.headers.set(.referSub, ReferSub(false)) }
            handle(layer.respond(response, to: transaction, at: now), at: now)
            outputs.append(.referred(id, to: shownTarget(referral.target)))
            say(id, at: now)
        } catch {
            answer(request, error.status, because: error.warning, transaction, at: now)
        }
    }

    /// Nil for a request of a dialog that there is already.
    private func newDialog(of request: SIPRequest, _ response: SIPResponse) throws(RequestRefusal) -> Dialog? {
        do throws(SIPParseError) {
            guard try request.headers.to.tag == nil else { return nil }
            return try Dialog(receiving: request, sending: response)
        } catch {
            throw RequestRefusal(.badRequest)
        }
    }

    private func referral(in request: SIPRequest) throws(RequestRefusal) -> Referral {
        let (address, replaces, isTold, referredBy, sequence): (NameAddress?, Replaces?, Bool, NameAddress?, UInt32)
        do throws(SIPParseError) {
            address = try request.headers.referTo
            replaces = try address?.uri.sip?.replaces
            isTold = try request.headers.referSub?.isWanted ?? true
            referredBy = try request.headers.referredBy
            sequence = try request.headers.cSeq.number
        } catch {
            throw RequestRefusal(.badRequest)
        }
        guard let address else { throw RequestRefusal(.badRequest) }
        guard let target = target(of: address.uri) else { throw RequestRefusal(.unsupportedURIScheme) }
        // Of others only the far end of a call that is up already (RFC 5589 §7.1: its Contact, which may be anywhere), and
        // nobody is sent there whom the line's user has not asked.
        guard isAtHome(target) || replaces != nil else {
            throw RequestRefusal(.forbidden, SIPWarning(399, "Only numbers of the account are called"))
        }
        return Referral(
            target: target, replaces: replaces, referredBy: referredBy, sequence: sequence, isTold: isTold)
    }

    /// An address that a person could dial on this line; nil for any other one. Of what stands behind its `?` nothing
    /// but Replaces is honoured: it would write our INVITE (RFC 3261 §19.1.5).
    func target(of uri: URI) -> URI? {
        switch uri {
        case .sip(var uri):
            guard uri.parameters["method"].map({ $0 == SIPMethod.invite.name }) ?? true else { return nil }
            uri.headers = nil
            uri.parameters["method"] = nil
            return configuration.address(of: uri.text)
        case .tel(let number): return configuration.address(of: number.digits)
        case .other: return nil
        }
    }

    // MARK: What the line's user makes of it

    /// Places the call that the far end of another leg asked for.
    mutating func follow(_ id: LegID, of referrer: LegID, mediaPort: UInt16, at now: Instant) {
        guard let referral = referrals[referrer], referral.follower == nil else {
            return outputs.append(.ended(id, .invalidTarget))
        }
        referrals[referrer]?.follower = id
        timers.cancel(.referral(referrer))
        beginInvite(id, referral.target, mediaPort: mediaPort, headers: referral.headers, at: now)
        // Whoever asked has hung up already: there is nobody to tell.
        if legs[referrer] == nil { referrals[referrer] = nil }
    }

    mutating func declineReferral(_ referrer: LegID, at now: Instant) {
        guard referrals[referrer]?.follower == nil else { return }
        news(.decline, for: referrer, at: now)
    }

    /// Nobody took it up, or nobody hung up.
    mutating func referralDue(_ referrer: LegID, at now: Instant) {
        guard let referral = referrals[referrer] else { return }
        if let bye = referral.bye {
            referrals[referrer] = nil
            end(referrer, bye, at: now)
        } else {
            declineReferral(referrer, at: now)
        }
    }

    /// Whether the far end is given a moment to hang up first: the call that it asked for is up, and it is being told.
    mutating func waitsForReferrer(_ id: LegID, _ end: LegEnd, at now: Instant) -> Bool {
        guard let referral = referrals[id], referral.isTold, referral.news.isSuccess, end == .hungUpHere else {
            return false
        }
        if referral.bye == nil {
            referrals[id]?.bye = end
            timers.set(.referral(id), at: now + Referral.grace)
        }
        return true
    }

    /// The leg in which it was asked is over. What was asked of us in it may still be done, though nobody is told.
    mutating func forgetTransfers(of id: LegID) {
        timers.cancel(.transfer(id))
        transfers[id] = nil
        guard let referral = referrals[id], referral.follower != nil else { return }
        timers.cancel(.referral(id))
        referrals[id] = nil
    }

    // MARK: Telling

    /// Tells those who asked for a call how it goes: read off what the line's user is told of it.
    mutating func tellReferrers(at now: Instant) {
        guard !referrals.isEmpty else { return }
        for output in outputs {
            guard let (leg, status) = output.progress,
                let referrer = referrals.first(where: { $0.value.follower == leg })?.key
            else { continue }
            news(status, for: referrer, at: now)
        }
    }

    private mutating func news(_ status: SIPStatus, for referrer: LegID, at now: Instant) {
        guard let referral = referrals[referrer], !referral.news.isFinal else { return }
        referrals[referrer]?.news = status
        say(referrer, at: now)
        settleReferral(referrer)
    }

    /// Says the news, if there is somebody who wants to hear it and who is not hearing the last one just now.
    private mutating func say(_ id: LegID, at now: Instant) {
        guard let referral = referrals[id], referral.isTold, !referral.isSaying, referral.said != referral.news,
            case .established(var established) = legs[id]
        else { return }
        var request: SIPRequest
        if var dialog = referral.dialog {
            request = dialog.request(.notify)
            referrals[id]?.dialog = dialog
        } else {
            request = established.dialog.request(.notify)
            legs[id] = .established(established)
        }
        request.headers.set(.event, SIPEvent(Transfer.package, id: "\(referral.sequence)"))
        request.headers.set(
            .subscriptionState,
            referral.news.isFinal
                ? SubscriptionState(.terminated, reason: .noresource)
                : SubscriptionState(.active, expires: Referral.expires))
        request.headers.set(.contact, established.contact)
        request.headers.set(.contentType, MediaType.sipFragment)
        request.body = SIPFragment(referral.news, phrase: nil).bytes
        referrals[id]?.said = referral.news
        referrals[id]?.isSaying = true
        send(request, in: referral.dialog ?? established.dialog, .notify(id), at: now)
    }

    /// A NOTIFY was answered. Whoever does not take one gets no other.
    mutating func saidNews(_ id: LegID, isHeard: Bool, at now: Instant) {
        guard referrals[id] != nil else { return }
        referrals[id]?.isSaying = false
        if !isHeard { referrals[id]?.isTold = false }
        say(id, at: now)
        settleReferral(id)
    }

    /// One that failed makes room for the next one. One that succeeded stays until its leg ends: there is nobody left to
    /// be called by it.
    private mutating func settleReferral(_ id: LegID) {
        guard let referral = referrals[id], referral.news.isFinal, !referral.news.isSuccess, !referral.isSaying else {
            return
        }
        timers.cancel(.referral(id))
        referrals[id] = nil
    }
}

extension LineOutput {
    /// How far a call is that was placed here, as a response would say it. Nil for what tells nothing of that.
    fileprivate var progress: (LegID, SIPStatus)? {
        switch self {
        case .ringing(let leg): (leg, .ringing)
        case .earlyMedia(let leg, _): (leg, .sessionProgress)
        case .answered(let leg, _): (leg, .ok)
        case .ended(let leg, let end): (leg, end.status)
        case .send, .locate, .abandon, .strayKeepAlive, .registration, .offered, .offerSent, .memo, .renegotiated,
            .holdSettled, .holdDelayed, .moved, .dtmfReceived, .dtmfSent, .text, .transferSettled, .transferred,
            .referred, .redirected, .refused, .watched, .messagesWaiting, .trace, .turnedAway, .dropped, .finished:
            nil
        }
    }
}

extension LegEnd {
    /// How a call of ours ended before it was answered, in the words of who would have answered it.
    fileprivate var status: SIPStatus {
        switch self {
        case .busyThere: .busyHere
        case .declinedThere: .decline
        case .noAnswerThere: .temporarilyUnavailable
        case .rejected(let code): SIPStatus(code)
        case .unreachable: .serviceUnavailable
        case .invalidTarget: .notFound
        case .noRoom, .shutDown: .temporarilyUnavailable
        case .incompatible, .insecurePath: .notAcceptableHere
        case .hungUpHere, .hungUpThere, .refusedHere, .cancelledThere, .answeredElsewhere: .requestTerminated
        }
    }
}

extension SIPRequest {
    /// Whether a NOTIFY tells of a call that was asked for by REFER.
    var isAboutTransfer: Bool { (try? headers.event)??.package == Transfer.package }
}
