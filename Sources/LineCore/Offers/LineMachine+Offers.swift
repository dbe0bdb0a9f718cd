import Base
import SDPCore
import SIPCore

/// Carries offers and answers between the far end and each leg's `OfferAnswer`, in calls that are up.
extension LineMachine {
    /// Changes the terms of a leg, if it is up, and carries out the effects.
    mutating func change(
        _ id: CallID, at now: Instant, _ change: (inout OfferAnswer, inout LineContext) -> [OfferAnswer.Effect]
    ) {
        guard case .established(var established) = legs[id] else { return }
        let effects = change(&established.offerAnswer, &context)
        legs[id] = .established(established)
        handle(effects, of: id, at: now)
    }

    private mutating func handle(_ effects: [OfferAnswer.Effect], of id: CallID, at now: Instant) {
        for effect in effects {
            switch effect {
            case .locate:
                guard case .established(let established) = legs[id] else { continue }
                send(.change(id), to: hop(of: established.dialog), at: now)
            case .settled(let reoffer, let agreed): settle(id, reoffer, agreed)
            case .delayed(let reoffer, let pause):
                if reoffer.held != nil { outputs.append(.event(.holdDelayed(id, by: pause))) }
            case .agreed(let agreed): answered(id, agreed, at: now)
            case .renegotiated(let agreed): tell(id, agreed, unless: nil)
            case .proven:
                if case .established(let established) = legs[id] { tellOnProof(id, established, at: now) }
            case .end(let end): self.end(id, end, at: now)
            case .gone: finish(id, .hungUpThere, at: now)
            }
        }
    }

    /// Reports the result of a change that the line's user wanted.
    private mutating func settle(_ id: CallID, _ reoffer: PendingReoffer, _ agreed: Agreement?) {
        if reoffer.held != nil { outputs.append(.event(.holdSettled(id, agreed?.media))) }
        if reoffer.moves { outputs.append(.event(.moved(id, agreed?.media))) }
    }

    /// Reports new terms. If our answer is not reported yet, its report will include them.
    private mutating func tell(_ id: CallID, _ agreed: Agreement?, unless before: Agreement?) {
        guard let agreed, agreed != before, legs[id]?.isToldOnProof != true else { return }
        outputs.append(.event(.renegotiated(id, agreed.media, heldByFarEnd: agreed.heldByFarEnd)))
    }

    /// Reports the terms after an offer of the far end. They are the first ones if its INVITE had no media.
    private mutating func tell(
        _ id: CallID, _ after: Agreement?, instead before: Agreement?, at now: Instant
    ) {
        guard before == nil, let after else { return tell(id, after, unless: before) }
        if legs[id]?.isToldOnProof != true { answered(id, after, at: now) }
    }

    // MARK: Ours

    /// Asks for new terms. Fails in a call that is not up, because it has no terms yet.
    mutating func want(_ wanted: PendingReoffer, in id: CallID, at now: Instant) {
        switch legs[id] {
        case nil, .leaving: break
        case .locating, .inviting, .offered: settle(id, wanted, nil)
        case .established: change(id, at: now) { offerAnswer, _ in offerAnswer.want(wanted) }
        }
    }

    /// Sends our offer over the located hop.
    mutating func offer(_ id: CallID, over flow: Flow, at now: Instant) {
        guard case .established(var established) = legs[id] else { return }
        if established.offerAnswer.joinsMove(over: flow) {
            legs[id] = .established(established)
            for transaction in outstandingChanges(of: id) { handle(layer.hurry(transaction, at: now), at: now) }
            return
        }
        let request = established.offerAnswer.offer(over: flow, in: &established.dialog, context: &context)
        legs[id] = .established(established)
        guard let request else { return }
        supersede(id, at: now)
        send(request, request.method == .update ? .update(id) : .reinvite(id), over: flow, at: now)
    }

    /// Our re-INVITE or UPDATE in this leg that has no final response.
    private func outstandingChanges(of id: CallID) -> [ClientTransactionID] {
        sent.filter { transaction, request in
            [.reinvite(id), .update(id)].contains(request.purpose) && request.acknowledgements.isEmpty
                && !request.isSuperseded
        }.map(\.key)
    }

    /// Gives up our outstanding change, before another one replaces it over another path.
    private mutating func supersede(_ id: CallID, at now: Instant) {
        for transaction in outstandingChanges(of: id) {
            switch sent[transaction]?.purpose {
            case .reinvite:
                layer.supersede(transaction, at: now)
                sent[transaction]?.isSuperseded = true
                timers.set(.forget(transaction), at: now + context.timers.timeout)
            default:
                layer.abandon(transaction)
                sent[transaction] = nil
            }
        }
    }

    /// Acknowledges a 2xx to a re-INVITE that we gave up. The far end accepted it before the next one, which decides
    /// the terms. It only waits for its ACK (RFC 3261 §13.2.2.4).
    mutating func succeededLate(_ transaction: ClientTransactionID, _ response: SIPResponse, at now: Instant) {
        guard response.status.isSuccess, let leg = sent[transaction]?.purpose.leg,
            let dialog = legs[leg]?.dialog, (try? response.headers.to.tag) == dialog.id.remoteTag
        else { return }
        if let known = sent[transaction]?.acknowledgements[dialog.id.remoteTag] {
            return handle(known.map { [$0] } ?? [], at: now)
        }
        acknowledge(transaction, dialog, dialog.id.remoteTag, at: now)
    }

    /// Handles a provisional response to our re-INVITE.
    mutating func changeProgressed(_ id: CallID, _ invite: SIPRequest, _ response: SIPResponse, at now: Instant) {
        guard case .established(var established) = legs[id],
            (try? response.headers.to.tag) == established.dialog.id.remoteTag,
            let sequence = established.offerAnswer.progressed(response)
        else { return }
        let prack = try? established.dialog.acknowledgement(of: sequence, to: invite)
        legs[id] = .established(established)
        guard let prack else { return }
        send(prack, in: established.dialog, .prack(id, tag: established.dialog.id.remoteTag), at: now)
    }

    /// Handles a 2xx to our UPDATE.
    mutating func refreshed(_ id: CallID, _ response: SIPResponse, to request: SIPRequest, at now: Instant) {
        guard case .established(var established) = legs[id] else { return }
        do throws(SIPParseError) {
            try established.dialog.receive(response, to: request)
            legs[id] = .established(established)
            change(id, at: now) { $0.accepted(response, context: $1, at: now) }
        } catch {
            change(id, at: now) { offerAnswer, _ in offerAnswer.unanswered(.unsent, at: now) }
        }
    }

    // MARK: Theirs

    /// Answers a re-INVITE.
    mutating func reoffered(
        _ id: CallID, _ request: SIPRequest, _ transaction: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        switch legs[id] {
        // This is a second INVITE before the first one is answered (RFC 3261 §14.2).
        case .offered: askToWait(request, transaction, at: now)
        case .inviting: answer(request, .requestPending, transaction, at: now)
        case nil, .locating, .leaving: answer(request, .callDoesNotExist, transaction, at: now)
        case .established(let established): accept(request, id, established, transaction, over: flow, at: now)
        }
    }

    /// Answers a re-INVITE or an UPDATE of a call that is up.
    mutating func accept(
        _ request: SIPRequest, _ id: CallID, _ established: Leg.Established, _ transaction: ServerTransactionID,
        over flow: Flow, at now: Instant
    ) {
        var established = established
        var needsProof = false
        let before = established.offerAnswer.agreed
        do throws(RequestRefusal) {
            let response = try established.offerAnswer.accept(request, context: &context, at: now)
            let after = established.offerAnswer.agreed
            let waits = established.isUnattended && after?.media.remote != before?.media.remote
            if request.method == .invite {
                established.unacknowledged = unacknowledged(response, to: request, transaction, at: now)
                if waits { established.withhold(after, instead: before) }
            } else if legs[id]?.mayMoveVoice(from: before, to: after) == false {
                // No person here would be asked, so RFC 3311 gives no reason for 504. A server that leaves the path of
                // the voice informs both ends, and does not undo that for one of them.
                guard isOwnServer(flow) else { return answer(request, .movesVoice, transaction, at: now) }
                established.withhold(after, instead: before)
                needsProof = true
            }
            legs[id] = .established(established)
            handle(layer.respond(response, to: transaction, at: now), at: now)
            armSuccess(id)
            tell(id, after, instead: before, at: now)
            if needsProof { change(id, at: now) { offerAnswer, _ in offerAnswer.want(PendingReoffer(.proves)) } }
        } catch {
            legs[id] = .established(established)
            answer(request, error, transaction, at: now)
        }
    }

    /// Handles the ACK of our 2xx. It may hold the answer to an offer in that 2xx.
    mutating func acknowledged(by ack: SIPRequest, at now: Instant) {
        guard let dialog = try? Dialog.ID(ack), let id = leg(of: dialog), let waiting = legs[id]?.unacknowledged,
            (try? ack.headers.cSeq.number) == waiting.sequence
        else { return }
        legs[id]?.unacknowledged = nil
        armSuccess(id)
        switch legs[id] {
        case .established(let established):
            tellOnProof(id, established, at: now)
            let answer = (try? ack.body(of: .sdp)).flatMap { try? SessionDescription(parsing: $0) }
            change(id, at: now) { offerAnswer, _ in offerAnswer.acknowledged(answer) }
        case .leaving(let leaving):
            sendBye(id, dialogAfterACK(leaving), leaving.end, at: now)
        case nil, .locating, .inviting, .offered: break
        }
    }

    /// Reports what was held back until the far end has shown that it hears us.
    private mutating func tellOnProof(_ id: CallID, _ waiting: Leg.Established, at now: Instant) {
        var told = waiting
        (told.untoldAnswer, told.hasUntoldChange) = (nil, false)
        legs[id] = .established(told)
        guard let agreed = told.offerAnswer.agreed else { return }
        if let answer = waiting.untoldAnswer {
            answered(id, agreed, at: now)
            // An answer puts nobody on hold, but a re-INVITE that overtook our 2xx's ACK may do so.
            if agreed.heldByFarEnd, !answer.heldByFarEnd { tell(id, agreed, unless: nil) }
        } else if waiting.hasUntoldChange {
            tell(id, agreed, unless: nil)
        }
    }

    private func dialogAfterACK(_ leaving: Leg.Leaving) -> Dialog {
        switch leaving.stage {
        case .awaitingACK(let established): established.dialog
        case .bye(let dialog): dialog
        case .cancelling: preconditionFailure("a leg that we cancel has no 2xx from us")
        }
    }
}

extension Leg {
    /// Whether an UPDATE may change the terms at once. In a call that was answered automatically, the ACK shows that
    /// the far end hears us, and an UPDATE has no ACK. Until the first ACK nothing is reported anyway.
    fileprivate func mayMoveVoice(from before: Agreement?, to after: Agreement?) -> Bool {
        switch self {
        case .established(let established):
            !established.isUnattended || isToldOnProof || after?.media.remote.host == before?.media.remote.host
        case .locating, .inviting, .offered, .leaving: true
        }
    }
}

extension Leg.Established {
    /// Holds the terms back until the far end has shown that it hears us.
    fileprivate mutating func withhold(_ after: Agreement?, instead before: Agreement?) {
        if before == nil { untoldAnswer = after } else { hasUntoldChange = true }
    }
}

extension RequestRefusal {
    /// 504: the change needs a re-INVITE (RFC 3311 §5.2).
    fileprivate static var movesVoice: RequestRefusal {
        RequestRefusal(.serverTimeout, SIPWarning(399, "Move the voice by a re-INVITE"))
    }
}

/// Handles UPDATEs of the far end: new terms without an INVITE, before and after the answer, or only a refresh (RFC
/// 3311 §5.2).
extension LineMachine {
    mutating func updated(
        _ id: CallID, _ request: SIPRequest, _ transaction: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        if let refusal = request.refusalOfBody { return answer(request, refusal, transaction, at: now) }
        switch legs[id] {
        case .inviting(let inviting): updatedEarly(id, inviting, request, transaction, at: now)
        case .offered(let offered):
            // The offer of the INVITE is unanswered, or the INVITE had none.
            guard (try? request.body(of: .sdp)) == nil else { return askToWait(request, transaction, at: now) }
            var response = request.response(.ok)
            context.introduce(&response.headers, contact: context.contact(on: offered.flow))
            handle(layer.respond(response, to: transaction, at: now), at: now)
        case .established(let established): accept(request, id, established, transaction, over: flow, at: now)
        case nil, .locating, .leaving: answer(request, .callDoesNotExist, transaction, at: now)
        }
    }

    /// Handles an UPDATE from one of the ringing far ends.
    private mutating func updatedEarly(
        _ id: CallID, _ inviting: Leg.Inviting, _ request: SIPRequest, _ transaction: ServerTransactionID,
        at now: Instant
    ) {
        guard let tag = try? request.headers.from.tag, var early = inviting.early[tag] else {
            return answer(request, .callDoesNotExist, transaction, at: now)
        }
        var inviting = inviting
        var response = request.response(.ok)
        context.introduce(&response.headers, contact: inviting.contact)
        let before = early.negotiation.agreed
        if let offer = try? request.body(of: .sdp) {
            // The far end has not answered our INVITE's offer yet.
            guard early.isAnswered else { return answer(request, .requestPending, transaction, at: now) }
            do throws(RequestRefusal) {
                response.body = try early.negotiation.answer(offer, held: false, context: &context).bytes
            } catch {
                return answer(request, error, transaction, at: now)
            }
            response.headers.set(.contentType, MediaType.sdp)
            inviting.early[tag] = early
            legs[id] = .inviting(inviting)
        }
        handle(layer.respond(response, to: transaction, at: now), at: now)
        guard let agreed = early.negotiation.agreed, agreed != before else { return }
        progress(.earlyMedia(id, agreed.media), of: id, .sessionProgress, at: now)
    }
}

extension MediaNegotiation {
    /// Answers an offer inside a dialog.
    mutating func answer(
        _ offer: [UInt8], held: Bool, context: inout LineContext
    ) throws(RequestRefusal) -> SessionDescription {
        let description: SessionDescription
        do throws(SDPParseError) { description = try SessionDescription(parsing: offer) } catch {
            throw RequestRefusal(.notAcceptableHere, error)
        }
        do throws(NegotiationError) {
            return try answer(to: description, held: held, using: &context.generator).description
        } catch {
            throw RequestRefusal(error)
        }
    }
}
