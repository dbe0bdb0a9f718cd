import Base
import SIPCore

/// Handles requests of a far end that we call another party (RFC 5589 §6, the transferee). Only the far end of an
/// established call may ask, over a flow of that call. The line's user decides.
extension LineMachine {
    /// Handles a REFER outside a dialog. Only a party that already talks to us may make us call another one (RFC 3515
    /// §5). It must name the call's dialog, which only a sender that has seen the call's messages can do (RFC 4538 §4).
    /// Its REFER must come over a flow of that call.
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
            return belongs(flow, to: leg.key)
        }
        guard let leg else { return answer(request, .forbidden, transaction, at: now) }
        receivedReferral(leg.key, request, transaction, over: flow, at: now)
    }

    mutating func receivedReferral(
        _ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        do throws(RequestRefusal) {
            guard case .established(let established) = legs[id] else { throw RequestRefusal(.forbidden) }
            // One at a time, because the person hears one call that turns into another.
            guard !referrals.isAsked(in: id), !isShuttingDown else { throw RequestRefusal(.requestPending) }
            var referral = try referral(in: request)
            var response = request.response(.accepted, tag: context.identifiers.makeTag())
            response.headers.set(.contact, established.offerAnswer.contact)
            referral.dialog = try newDialog(of: request, response)
            referrals.begin(referral, in: id, within: context.timers.timeout, at: now)
            if !referral.isTold { response.headers.set(.referSub, ReferSub(false)) }
            handle(layer.respond(response, to: transaction, at: now), at: now)
            outputs.append(.referred(id, to: shownTarget(referral.target)))
            handle(referrals.announce(id), at: now)
        } catch {
            answer(request, error, transaction, at: now)
        }
    }

    /// The dialog that the REFER opens. Nil if the REFER belongs to an existing dialog.
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
        // An address outside the account is accepted only with Replaces. It is then the far end of an existing call,
        // whose Contact may be anywhere (RFC 5589 §7.1). Nothing is sent to it before the line's user agrees.
        guard isAtHome(target) || replaces != nil else {
            throw RequestRefusal(.forbidden, SIPWarning(399, "Only numbers of the account are called"))
        }
        return Referral(
            target: target, replaces: replaces, referredBy: referredBy, sequence: sequence, isTold: isTold)
    }

    /// An address that a person could dial on this line. Nil for any other one. Of its URI headers only Replaces
    /// counts, because the others would write parts of our INVITE (RFC 3261 §19.1.5).
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

    // MARK: The decision of the line's user

    /// Places the call that the far end of another leg requested.
    mutating func follow(_ id: LegID, of referrer: LegID, _ media: LocalMedia, at now: Instant) {
        guard let referral = referrals.follow(referrer, by: id) else {
            return ended(id, .invalidTarget, at: now)
        }
        beginInvite(id, referral.target, media, headers: referral.headers, at: now)
        if legs[referrer] == nil { referrals.drop(referrer) }
    }

    mutating func declineReferral(_ referrer: LegID, at now: Instant) {
        handle(referrals.decline(referrer), at: now)
    }

    // MARK: Reports

    /// Reports a call's progress to the line's user, and to the far end that requested the call, if there is one.
    mutating func progress(_ output: LineOutput, of leg: LegID, _ status: SIPStatus, at now: Instant) {
        outputs.append(output)
        handle(referrals.progressed(leg, to: status), at: now)
    }

    /// Reports that a leg has ended, or was never set up.
    mutating func ended(_ leg: LegID, _ end: LegEnd, at now: Instant) {
        progress(.ended(leg, end), of: leg, end.status, at: now)
    }

    mutating func handle(_ effects: [Referrals.Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .notify(let leg): notify(leg, at: now)
            case .end(let leg, let end): self.end(leg, end, at: now)
            }
        }
    }

    private mutating func notify(_ id: LegID, at now: Instant) {
        guard case .established(var established) = legs[id] else { return newsSaid(id, isHeard: false, at: now) }
        let contact = established.offerAnswer.contact
        guard let notify = referrals.notification(for: id, in: &established.dialog, contact: contact) else { return }
        legs[id] = .established(established)
        send(notify.request, in: notify.dialog, .notify(id), at: now)
    }

    /// Handles the final response to a NOTIFY, or its failure.
    mutating func newsSaid(_ id: LegID, isHeard: Bool, at now: Instant) {
        handle(referrals.said(in: id, isHeard: isHeard), at: now)
    }
}

extension LegEnd {
    /// The status that reports to a referrer how our call ended before an answer.
    fileprivate var status: SIPStatus {
        switch self {
        case .busyThere: .busyHere
        case .declinedThere: .decline
        case .noAnswerThere: .temporarilyUnavailable
        case .rejected(let code): SIPStatus(code)
        case .unreachable: .serviceUnavailable
        case .invalidTarget, .notNamed: .notFound
        case .anonymityRefused: .forbidden
        case .noRoom, .shutDown: .temporarilyUnavailable
        case .incompatible, .insecurePath: .notAcceptableHere
        case .hungUpHere, .stopped, .hungUpThere, .refusedHere, .cancelledThere, .answeredElsewhere: .requestTerminated
        }
    }
}

extension SIPRequest {
    /// Whether a NOTIFY reports on a call that a REFER requested.
    var isAboutTransfer: Bool {
        guard let event = (try? headers.event) ?? nil else {
            return !headers.contains(.event) && (try? headers.contentType)?.name == MediaType.sipFragment.name
        }
        return event.package.lowercased() == Transfer.package
    }
}
