import Base
import SDPCore
import SIPCore
import VertoCore

/// Handles the session's events about calls.
extension VertoLine {
    mutating func happened(_ event: VertoCallEvent, to call: VertoCallID, at now: Instant) {
        if case .incoming(let incoming) = event { return offered(incoming, call, at: now) }
        if case .turnedAway(let incoming) = event { return tellRefused(incoming, because: .noRoom, at: now) }
        guard let leg = leg(of: call) else { return }
        switch event {
        case .incoming, .turnedAway: break
        case .display(let party): displayed(party, leg)
        case .candidate(let candidate): heard(candidate, of: leg)
        // A path that works is used, whether more candidates follow or not.
        case .endOfCandidates: break
        case .created:
            outputs.append(.event(.offerSent(leg)))
            // The server sends no ringing, so ringback plays until voice, an answer or an end comes.
            if configuration.account?.verto?.tellsOfRinging == false { outputs.append(.event(.ringing(leg))) }
        case .ringing: outputs.append(.event(.ringing(leg)))
        case .earlyMedia(let sdp): progressed(leg, sdp, at: now)
        case .answered(let sdp): answered(leg, sdp, at: now)
        case .connected: connected(leg, at: now)
        case .held(let isHeld):
            legs[leg]?.isHeld = isHeld
            outputs.append(.event(.holdSettled(leg, legs[leg]?.agreed?.media)))
        case .holdFailed: outputs.append(.event(.holdSettled(leg, nil)))
        case .dtmfSent: dtmf.taken(in: leg, at: now)
        case .dtmfFailed: handle(dtmf.refused(in: leg), at: now)
        case .mediaUpdated(let sdp): updated(leg, sdp)
        case .mediaUpdateFailed: updated(leg, nil)
        case .transferred:
            outputs.append(.event(.transferSettled(leg, accepted: true)))
            outputs.append(.event(.transferred(leg, succeeded: true)))
        case .transferFailed: outputs.append(.event(.transferSettled(leg, accepted: false)))
        case .recovering: recover(leg)
        case .attachOffered(let sdp): attach(leg, sdp, at: now)
        case .reoffered(let sdp): reoffered(leg, sdp, at: now)
        case .reattached: restored(leg, at: now)
        case .ended(let end): ended(leg, end, at: now)
        }
    }

    // MARK: Calls to us

    private mutating func offered(_ incoming: VertoIncomingCall, _ call: VertoCallID, at now: Instant) {
        guard mayBegin else {
            post(.call(call, .bye(.userBusy)), at: now)
            return tellRefused(incoming, because: .noRoom, at: now)
        }
        do {
            let offer = try SessionDescription(parsing: Array(incoming.sdp.utf8))
            try configuration.media.check(offer)
            let leg = nextOffered()
            legs[leg] = VertoLeg(call, .offered(offer))
            legs[leg]?.party = incoming.caller
            outputs.append(.event(.offered(leg, Caller(incoming, configuration, at: now))))
        } catch {
            post(.call(call, .bye(.incompatibleDestination)), at: now)
            let reason = (error as? NegotiationError).map { CallRefusal($0) } ?? .malformed
            tellRefused(incoming, because: reason, at: now)
        }
    }

    /// Reports a refused call. When there are many in a short time, only the first are reported.
    private mutating func tellRefused(_ incoming: VertoIncomingCall, because reason: CallRefusal, at now: Instant) {
        guard refusals.admit(at: now) else { return }
        outputs.append(
            .event(.refused(Caller(incoming, configuration, at: now), from: serverHost, because: reason)))
    }

    private mutating func displayed(_ party: VertoParty, _ leg: CallID) {
        let (name, number, _) = party.shown
        guard name != nil || number != nil else { return }
        let known = legs[leg]?.party.number
        legs[leg]?.party = VertoParty(name: name, number: number ?? known)
        guard number?.lowercased() != CallerClaim.anonymous else {
            let anonymous = CallerClaim.anonymous
            return outputs.append(.event(.displayUpdated(leg, name: nil, number: anonymous, standing: .withheld)))
        }
        outputs.append(.event(.displayUpdated(leg, name: name, number: number)))
    }

    private mutating func connected(_ leg: CallID, at now: Instant) {
        if case .answering(let negotiation) = legs[leg]?.stage, let agreed = legs[leg]?.agreed {
            legs[leg]?.stage = .up(negotiation)
            tellAnswered(leg, agreed)
        }
        restored(leg, at: now)
    }

    // MARK: Our calls

    private mutating func progressed(_ leg: CallID, _ sdp: String, at now: Instant) {
        guard case .inviting(let negotiation, _) = legs[leg]?.stage else { return }
        var early = negotiation
        guard Self.conclude(&early, sdp) != nil else { return }
        legs[leg]?.stage = .inviting(negotiation, early: early)
        tellEarly(leg)
    }

    private mutating func answered(_ leg: CallID, _ sdp: String?, at now: Instant) {
        guard case .inviting(var negotiation, let early) = legs[leg]?.stage else { return }
        // The server may repeat the description of its early media, or refer to it by an unusable one.
        let isConcluded = sdp.map { Self.conclude(&negotiation, $0) != nil } ?? false
        if !isConcluded, let early { negotiation = early }
        legs[leg]?.stage = .up(negotiation)
        guard let agreed = legs[leg]?.agreed else {
            return end(leg, .incompatible, .incompatibleDestination, at: now)
        }
        tellAnswered(leg, agreed)
    }

    /// Reports that a leg is answered, and what another process would need to end it.
    mutating func tellAnswered(_ leg: CallID, _ agreed: Agreement) {
        guard let call = legs[leg]?.call else { return }
        outputs.append(.event(.answered(leg, agreed.media)))
        outputs.append(.event(.memo(leg, VertoMemo(session: session.sessionName, call: call).text)))
    }

    private mutating func tellEarly(_ leg: CallID) {
        guard case .inviting(_, let early?) = legs[leg]?.stage, let agreed = early.agreed,
            let complete = legs[leg]?.withTrickled(agreed)
        else { return }
        outputs.append(.event(.earlyMedia(leg, complete.media)))
    }

    /// Nil if the text is not an answer to our offer.
    static func conclude(_ negotiation: inout MediaNegotiation, _ sdp: String) -> Agreement? {
        guard negotiation.isOffering, let answer = try? SessionDescription(parsing: Array(sdp.utf8)) else { return nil }
        return try? negotiation.conclude(answer)
    }

    // MARK: Calls that are up

    /// Handles a candidate of the far end that follows its description. We ignore one for another medium than the
    /// first.
    private mutating func heard(_ candidate: VertoCandidate, of leg: CallID) {
        guard candidate.lineIndex ?? 0 == 0, let value = candidate.value, legs[leg]?.learn(value) == true,
            let stage = legs[leg]?.stage
        else { return }
        switch stage {
        // The terms that both ends agree on later will include it.
        case .offered, .answering, .inviting(_, early: nil), .ending: break
        case .inviting(_, early: .some): tellEarly(leg)
        case .up:
            if let agreed = legs[leg]?.agreed {
                outputs.append(.event(.renegotiated(leg, agreed.media, heldByFarEnd: agreed.heldByFarEnd)))
            }
        }
    }

    private mutating func ended(_ leg: CallID, _ end: VertoEnd, at now: Instant) {
        guard let ended = legs.removeValue(forKey: leg) else { return }
        handle(dtmf.refused(in: leg), at: now)
        if case .ending(let own) = ended.stage { return outputs.append(.event(.ended(leg, own))) }
        if end.isFault, let words = end.words {
            outputs.append(.remark("the server ended the call with \(ended.party.number ?? "somebody"): \(words)"))
        }
        if let told = ServerEnd(end) { outputs.append(.event(.endTold(leg, told))) }
        outputs.append(.event(.ended(leg, EndReason(end, of: ended.stage))))
    }
}

extension VertoCandidate {
    /// The candidate as in a description. Nil: it only marks the end of candidates.
    fileprivate var value: String? {
        var text = candidate[...]
        for word in ["a=", "candidate:"] where text.hasPrefix(word) { text = text.dropFirst(word.count) }
        return text.isEmpty ? nil : String(text)
    }
}

extension VertoEnd {
    /// Whether something failed, so that a person may want the server's own text.
    fileprivate var isFault: Bool {
        switch reason {
        case .notFound, .unavailable, .forbidden, .incompatible, .congestion, .timedOut, .failed, .noResponse, .lost,
            .dropped:
            true
        case .hungUp, .busy, .noAnswer, .declined, .cancelled, .answeredElsewhere, .here, .notReady: false
        }
    }
}

extension EndReason {
    init(_ end: VertoEnd, of stage: VertoLeg.Stage) {
        let isUp = if case .up = stage { true } else { false }
        let isOffered = if case .offered = stage { true } else { false }
        switch end.reason {
        case .hungUp: self = isUp ? .hungUpThere : isOffered ? .cancelledThere : .declinedThere
        case .cancelled: self = isUp ? .hungUpThere : .cancelledThere
        case .answeredElsewhere: self = .answeredElsewhere
        case .busy: self = .busyThere
        case .declined: self = .declinedThere
        case .noAnswer, .unavailable: self = .noAnswer
        case .notFound: self = .rejected(end.status ?? 404)
        case .forbidden: self = .rejected(end.status ?? 403)
        case .incompatible: self = .incompatible
        case .congestion: self = .rejected(end.status ?? 503)
        case .failed: self = .rejected(end.status ?? 500)
        case .here: self = .hungUpHere
        case .timedOut, .noResponse, .lost, .dropped: self = .unreachable
        case .notReady: self = .unreachable
        }
    }
}

/// Shows texts of other users, and of the far ends of calls.
extension VertoLine {
    mutating func show(_ text: VertoText, at now: Instant) {
        guard let shown = texts.receive(text.body, at: now) else { return }
        let party = text.call.flatMap { leg(of: $0) }.flatMap { legs[$0]?.party }
        let sender = text.from.map { VertoParty(number: $0) } ?? party ?? VertoParty()
        let caller = Caller(VertoIncomingCall(sdp: "", caller: sender), configuration, vouches: false, at: now)
        outputs.append(.event(.text(caller, shown)))
    }
}

extension Caller {
    /// The caller, as the server names it. As over SIP, P-Asserted-Identity vouches for the number; FreeSWITCH's
    /// dialplan writes it. So does the account's server, if it writes callers' numbers itself.
    /// - Parameter vouches: Whether the account's server vouches for it.
    init(
        _ call: VertoIncomingCall, _ configuration: LineConfiguration, vouches: Bool = true, at now: Instant
    ) {
        var said = SIPHeaders()
        for (name, value) in call.statements { said.append(SIPHeaderName(name), value) }
        let claim = CallerClaim(said, isTrusted: true, from: nil, except: .called)
        let caller = call.caller.shown
        let asserted = claim.uri.map { Self.number(of: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        let isWithheld = claim.isWithheld || asserted == nil && caller.isWithheld
        let name = claim.displayName?.shown(bytes: Self.nameLimit) ?? caller.name
        let alerts = said.alerts
        let asserter = vouches && !isWithheld ? configuration.account : nil
        self.init(
            number: isWithheld ? CallerClaim.anonymous : asserted ?? caller.number ?? CallerClaim.anonymous,
            displayName: isWithheld || name?.isEmpty == true ? nil : name, isWithheld: isWithheld,
            called: call.callee.number.map { $0.shown(bytes: Self.numberLimit) }, account: configuration.id,
            ids: call.references.names.filter { $0.utf8.count <= Self.idLimit }, ring: said.ring(alerts),
            wantsAutoAnswer: said.wantsAutoAnswer(alerts), verification: claim.verification,
            vouched: asserter.flatMap { Self.vouched(claim, call.caller, $0) },
            headers: call.headers.isEmpty ? nil : call.headers, arrived: now)
    }

    private static func vouched(
        _ claim: CallerClaim, _ caller: VertoParty, _ account: LineConfiguration.Account
    ) -> AssertedNumber? {
        let asserter = IdentityAsserter.server(
            hosts: [account.domain, account.server.host], alsoByFrom: account.vouchesForFrom)
        guard claim.uri == nil else { return asserter.asserted(claim) }
        guard account.vouchesForFrom, caller.isNumberWhole, let number = caller.number else { return nil }
        let address = number.contains("@") ? number : "\(number)@\(account.domain)"
        guard let uri = try? URI(address.hasPrefix("sip:") ? address : "sip:" + address) else { return nil }
        return asserter.asserted(CallerClaim(SIPHeaders(), isTrusted: true, from: NameAddress(uri), except: nil))
    }
}

extension VertoParty {
    /// The name and number that people may see. A party without a number counts as anonymous.
    var shown: (name: String?, number: String?, isWithheld: Bool) {
        func shown(_ text: String?, _ limit: Int) -> String? {
            guard let text = text?.shown(bytes: limit), !text.isEmpty else { return nil }
            return text
        }
        let name = name == Caller.nameOfNobody ? nil : name
        let number = shown(number, Caller.numberLimit)
        return (
            shown(name, Caller.nameLimit), number,
            number.map { $0.lowercased() == CallerClaim.anonymous } ?? true
        )
    }
}

extension VertoReferences {
    /// The names by which a backend knows the call.
    fileprivate var names: [String] { [control, session, leg].compactMap(\.self) }
}
