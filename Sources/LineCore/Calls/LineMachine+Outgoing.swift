import Base
import SDPCore
import SIPCore

extension LineMachine {
    // MARK: Inviting

    /// Our call to a number or an address. Nil if nothing can be dialled.
    func invitation(
        to target: String, _ media: MediaEndpoint, _ presentation: CallPresentation
    ) -> Leg.Invitation? {
        let dialled = configuration.dialled(target)
        guard let address = configuration.address(of: dialled.target) else { return nil }
        var headers = SIPHeaders()
        for header in presentation.headers { headers.append(SIPHeaderName(header.name), header.value) }
        return Leg.Invitation(
            targets: TargetSet(address), media: media, isWithheld: dialled.isWithheld, presentation: presentation,
            headers: headers)
    }

    /// - Parameter invitation: Nil: there is nothing to call, so the leg ends at once.
    mutating func beginInvite(_ id: CallID, _ invitation: Leg.Invitation?, at now: Instant) {
        guard let invitation else { return ended(id, .invalidTarget, at: now) }
        precondition(id.origin == .phone, "a leg that the phone dialled is named by the phone")
        guard legs[id] == nil else { return }
        guard !isShuttingDown else { return ended(id, .shutDown, at: now) }
        guard hasRoom else { return ended(id, .lineNotReady, at: now) }
        legs[id] = .locating(invitation)
        send(.invite(id), to: hop(of: invitation), at: now)
    }

    func hop(of invitation: Leg.Invitation) -> NextHop? {
        configuration.account?.server ?? NextHop(invitation.targets.current, otherwise: configuration.transport)
    }

    /// Sends our offer over the located hop.
    mutating func invite(_ id: CallID, over flow: Flow, at now: Instant) {
        guard case .locating(let invitation) = legs[id] else { return }
        let host = configuration.account?.domain ?? flow.local.host
        let port = configuration.account == nil ? flow.local.port : nil
        let own = SIPURI(user: configuration.user, host: host, port: port)
        let tag = context.identifiers.makeTag()
        let identity = OutgoingIdentity(
            configuration, own: own, presentation: invitation.presentation, isWithheld: invitation.isWithheld)
        var from = identity.from
        from.tag = tag
        var request = SIPRequest(
            .invite, invitation.targets.current.asInitialRequestURI, from: from,
            to: NameAddress(invitation.targets.dialled), callID: context.identifiers.makeCallID(),
            sequence: context.identifiers.makeSequence())
        var negotiation = MediaNegotiation(
            capabilities: configuration.media.showing(invitation.media),
            local: MediaAddress(host: flow.local.host, port: invitation.media.port), ice: invitation.media.ice,
            using: &context.generator)
        if invitation.isInClear, negotiation.mayOfferInClear { negotiation.offerInClear() }
        let contact = invitation.isWithheld ? context.contact(on: flow).withoutUser : context.contact(on: flow)
        context.complete(&request.headers, contact: contact)
        identity.write(to: &request.headers)
        for field in invitation.headers.fields { request.headers.append(field.name, field.value) }
        context.askSession(&request.headers, nil)
        request.body = negotiation.offer(held: false, using: &context.generator).bytes
        guard let transaction = send(request, .invite(id), over: flow, at: now) else { return }
        legs[id] = .inviting(
            .init(
                invitation: invitation, transaction: transaction, localTag: tag, contact: contact,
                negotiation: negotiation))
        outputs.append(.event(.offerSent(id)))
    }

    // MARK: Responses

    /// Handles a 2xx to our INVITE, the first one or a later one. Each of them is acknowledged. The first one makes the
    /// call, and any other far end that answers gets a BYE (RFC 3261 §13.2.2.4).
    mutating func succeeded(_ transaction: ClientTransactionID, _ response: SIPResponse, at now: Instant) {
        guard let request = sent[transaction], let tag = try? response.headers.to.tag ?? "" else { return }
        if let known = request.acknowledgements[tag] {
            if let known { acknowledgeAgain(known, of: request, tag, at: now) }
            return
        }
        // A call rings at no more far ends than this, so a further answer is dropped.
        guard request.acknowledgements.count < EarlyDialog.limit else { return outputs.append(.dropped(.tooManyForks)) }
        timers.set(.forget(transaction), at: now + context.timers.timeout)
        switch (request.purpose, request.purpose.leg.flatMap { legs[$0] }) {
        case (.invite(let id), .inviting(let inviting)):
            guard let dialog = dialog(of: request, response, after: inviting.early[tag]) else {
                return finish(id, .unreachable, at: now)
            }
            acknowledge(transaction, dialog, tag, at: now)
            established(id, inviting, dialog, response, at: now)
        case (.invite(let id), .leaving(let leaving)):
            // The 2xx crossed our CANCEL (RFC 3261 §9.1).
            guard let dialog = strayDialog(of: request, response) else { return finish(id, leaving.end, at: now) }
            acknowledge(transaction, dialog, tag, at: now)
            guard case .cancelling = leaving.stage else { return sendStrayBye(dialog, at: now) }
            sendBye(id, dialog, leaving.end, at: now)
        case (.reinvite(let id), .established(var established)):
            // Ignored: the response comes from another far end than the dialog's.
            guard tag == established.dialog.id.remoteTag else { return }
            do throws(SIPParseError) { try established.dialog.receive(response, to: request.request) } catch { return }
            // A far end that accepts our offer has no open offer (RFC 3261 §14.2), so it has our 2xx to its last one.
            established.unacknowledged = nil
            armSuccess(id)
            legs[id] = .established(established)
            acknowledge(transaction, established.dialog, tag, at: now)
            change(id, at: now) { $0.accepted(response, context: $1, at: now) }
        case (.reinvite, .leaving(let leaving)):
            guard case .bye(let dialog) = leaving.stage else { return }
            acknowledge(transaction, dialog, tag, at: now)
        case (.invite, _):
            guard let dialog = strayDialog(of: request, response) else { return }
            acknowledge(transaction, dialog, tag, at: now)
            sendStrayBye(dialog, at: now)
        case (.reinvite, _), (.update, _), (.prack, _), (.bye, _), (.info, _), (.strayBye, _), (.orphanBye, _),
            (.register, _), (.unregister, _), (.refer, _), (.notify, _), (.subscribe, _), (.options, _):
            return
        }
    }

    /// Repeats the ACK for a 2xx that came again. The first ACK may have gone to an address that nobody can reach, so
    /// this one also takes the account's server, which delivered the 2xx.
    private mutating func acknowledgeAgain(
        _ known: TransactionLayer.Effect, of request: SentRequest, _ tag: String, at now: Instant
    ) {
        handle([known], at: now)
        guard case .send(_, let flow) = known, !isOwnServer(flow), let leg = request.purpose.leg,
            let server = server(for: leg), let dialog = legs[leg]?.dialog, dialog.id.remoteTag == tag,
            let ack = try? dialog.acknowledgement(of: request.request)
        else { return }
        handle([layer.acknowledge(ack, over: server)], at: now)
    }

    mutating func acknowledge(
        _ id: ClientTransactionID, _ dialog: Dialog, _ tag: String, at now: Instant
    ) {
        guard let invite = sent[id]?.request, let ack = try? dialog.acknowledgement(of: invite) else { return }
        sent[id]?.acknowledgements[tag] = .some(nil)
        send(.acknowledgement(ack, of: id, tag: tag), to: hop(of: dialog), at: now)
    }

    private mutating func established(
        _ id: CallID, _ inviting: Leg.Inviting, _ dialog: Dialog, _ response: SIPResponse, at now: Instant
    ) {
        let early = inviting.early[dialog.id.remoteTag]
        var negotiation = inviting.negotiation
        var isRejectedLine = false
        if early?.isAnswered != true, let description = Self.description(in: response) {
            do throws(NegotiationError) { _ = try negotiation.conclude(description) } catch {
                isRejectedLine = error.isAboutProtection && negotiation.mayOfferInClear
            }
        } else {
            // The answer came earlier, in a provisional response of the same far end.
            negotiation = early?.negotiation ?? negotiation
        }
        guard negotiation.agreed != nil || isRejectedLine else { return sendBye(id, dialog, .incompatible, at: now) }
        var established = Leg.Established(
            dialog: dialog,
            offerAnswer: OfferAnswer(
                negotiation, contact: inviting.contact, session: context.grantedSession(response, at: now),
                allowsUpdate: response.headers.allows(.update), isCaller: true, awaitsACK: false, at: now))
        established.takesInfo = response.headers.mayAllow(.info)
        legs[id] = .established(established)
        if let agreed = negotiation.agreed {
            answered(id, agreed, at: now)
            change(id, at: now) { offerAnswer, _ in offerAnswer.proceed() }
        } else {
            // Somebody has already answered there, and another call would ring again. A re-INVITE does not.
            change(id, at: now) { offerAnswer, _ in offerAnswer.offerInClear() }
        }
    }

    /// Calls the same target once more without protection, if this response rejects an offer of optional protection.
    private mutating func inviteInClear(
        _ id: CallID, _ inviting: Leg.Inviting, _ response: SIPResponse, at now: Instant
    ) -> Bool {
        let end = EndReason(rejectedWith: response.status, (try? response.headers.reasons) ?? [])
        guard end == .incompatible, inviting.negotiation.mayOfferInClear, !isShuttingDown else { return false }
        var invitation = inviting.invitation
        invitation.isInClear = true
        legs[id] = .locating(invitation)
        send(.invite(id), to: hop(of: invitation), at: now)
        return true
    }

    mutating func rejected(_ id: CallID, _ response: SIPResponse, at now: Instant) {
        switch legs[id] {
        case .inviting(let inviting):
            guard !inviteInClear(id, inviting, response, at: now), !follow(response, id, inviting, at: now) else {
                return
            }
            let end = EndReason(rejectedWith: response.status, (try? response.headers.reasons) ?? [])
            tellEnd(id, (try? response.headers.reasons) ?? [], response.status, phrase: response.phrase)
            let isAnonymous = inviting.invitation.isWithheld && configuration.account != nil
            finish(id, isAnonymous && response.status.mayRefuseAnonymity ? .anonymityRefused : end, at: now)
        case .leaving(let leaving): finish(id, leaving.end, at: now)
        case nil, .locating, .offered, .established: break
        }
    }

    static func description(in response: SIPResponse) -> SessionDescription? {
        (try? response.body(of: .sdp)).flatMap { try? SessionDescription(parsing: $0) }
    }
}

extension EndReason {
    init(rejectedWith status: SIPStatus) {
        switch status.code {
        case 486, 600: self = .busyThere
        case 603: self = .declinedThere
        case 408, 480: self = .noAnswer
        case 415, 488, 606: self = .incompatible
        default: self = .rejected(status.code)
        }
    }
}

extension URI {
    /// The target as the request URI of a first request, without its header part (RFC 3261 §19.1.1).
    var asInitialRequestURI: URI {
        guard var uri = sip else { return self }
        uri.headers = nil
        return .sip(uri)
    }
}

extension SIPStatus {
    /// Whether a server may send this status because the call is anonymous. 433 is made for that (RFC 5079). A server
    /// that finds its accounts by From finds none here, and challenges the call whatever credentials it has.
    fileprivate var mayRefuseAnonymity: Bool { [401, 407, 433].contains(code) }
}

/// Handles far ends that ring. Each of them has its own dialog, with its own route, CSeq and terms.
extension LineMachine {
    /// A provisional response to our INVITE.
    mutating func progressed(_ id: CallID, _ invite: SIPRequest, _ response: SIPResponse, at now: Instant) {
        guard case .inviting(var inviting) = legs[id], response.status != .trying else { return }
        var agreed: Agreement?
        var acknowledgement: (prack: SIPRequest, dialog: Dialog)?
        if let tag = try? response.headers.to.tag, var early = inviting.earlyDialog(tag, invite, response) {
            let step = early.progress.take(response)
            switch step {
            case .outOfOrder: return
            case .unreliable: break
            case .next(let sequence):
                acknowledgement = (try? early.dialog.acknowledgement(of: sequence, to: invite))
                    .map { ($0, early.dialog) }
            }
            agreed = early.takeAnswer(in: response, isReliable: step != .unreliable, to: inviting.negotiation)
            inviting.early[tag] = early
        }
        let rings = !inviting.hasRung && response.status == .ringing
        if rings { inviting.hasRung = true }
        legs[id] = .inviting(inviting)
        if rings { progress(.ringing(id), of: id, .ringing, at: now) }
        if let agreed { progress(.earlyMedia(id, agreed.media), of: id, .sessionProgress, at: now) }
        if let (prack, dialog) = acknowledgement {
            send(prack, in: dialog, .prack(id, tag: dialog.id.remoteTag), at: now)
        }
    }

    /// The dialog that a 2xx to our INVITE confirms: the early one, or a new one.
    func dialog(of request: SentRequest, _ response: SIPResponse, after early: EarlyDialog?) -> Dialog? {
        guard var dialog = early?.dialog else {
            return try? Dialog(sending: request.request, receiving: response)
        }
        do throws(SIPParseError) { try dialog.receive(response, to: request.request) } catch { return nil }
        return dialog
    }

    /// The dialog of a far end that we do not want. It may have received PRACKs whose CSeq we have forgotten, so the
    /// CSeq of this dialog leaps ahead.
    func strayDialog(of request: SentRequest, _ response: SIPResponse) -> Dialog? {
        var dialog = dialog(of: request, response, after: nil)
        dialog?.leap(by: DialogSnapshot.reserve)
        return dialog
    }
}

extension Leg.Inviting {
    /// The early dialog with a far end, created by its first response.
    fileprivate func earlyDialog(_ tag: String, _ invite: SIPRequest, _ response: SIPResponse) -> EarlyDialog? {
        if let known = early[tag] { return known }
        return early.count < EarlyDialog.limit ? EarlyDialog(invite, response, negotiation) : nil
    }
}

/// Handles far ends that redirect our call (RFC 3261 §8.1.3.4).
///
/// Nothing is sent to an address that they name before the line's user agrees, because a call costs money and is made
/// in the account's name.
extension LineMachine {
    /// The statuses that we follow: they name other addresses of the called party. Status 305 names a proxy, so any
    /// unknown far end could route our calls through its host. Status 380 describes alternatives in a body, which no
    /// person here would read.
    private static let redirections = 300...302

    /// Asks the user about the next address, if this response or an earlier one named one.
    mutating func follow(_ response: SIPResponse, _ id: CallID, _ inviting: Leg.Inviting, at now: Instant) -> Bool {
        guard !response.status.isGlobal else { return false }
        var invitation = inviting.invitation
        if configuration.followsRedirections, Self.redirections.contains(response.status.code) {
            for contact in (try? response.headers.contacts) ?? [] {
                guard let address = target(of: contact.uri), isAtHome(address) else { continue }
                invitation.targets.add(address, preference: contact.preference ?? 1)
            }
        }
        let end = EndReason(rejectedWith: response.status, (try? response.headers.reasons) ?? [])
        return inviteElsewhere(id, invitation, orEnd: end, at: now)
    }

    /// Takes the next known address, and asks whether it may be called.
    /// - Parameter end: How the call ends if it may not.
    mutating func inviteElsewhere(_ id: CallID, _ invitation: Leg.Invitation, orEnd end: EndReason, at now: Instant)
        -> Bool
    {
        var invitation = invitation
        guard !isShuttingDown, invitation.targets.advance() else { return false }
        invitation.endUnlessAgreed = end
        legs[id] = .locating(invitation)
        timers.set(.redirection(id), at: now + context.timers.timeout)
        outputs.append(.event(.redirected(id, to: shownTarget(invitation.targets.current))))
        return true
    }

    /// The line's user has decided, or did not decide in time. The next attempt is a new INVITE, which shares only its
    /// To with the first one.
    mutating func redirect(_ id: CallID, _ isWanted: Bool, at now: Instant) {
        guard case .locating(var invitation) = legs[id], let end = invitation.endUnlessAgreed else { return }
        guard isWanted else { return finish(id, end, at: now) }
        timers.cancel(.redirection(id))
        invitation.endUnlessAgreed = nil
        legs[id] = .locating(invitation)
        send(.invite(id), to: hop(of: invitation), at: now)
    }
}
