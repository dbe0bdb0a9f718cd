import Base
import SDPCore
import SIPCore

/// Changes of the terms of a call that the far end asks for (RFC 3261 §14.2), and what its ACK brings.
extension LineMachine {
    mutating func reoffered(
        _ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant
    ) {
        guard case .established(var established) = legs[id] else {
            return reofferedEarly(id, request, transaction, at: now)
        }
        let before = established.negotiation.agreed
        guard let response = accept(request, id, &established, transaction, at: now) else { return }
        established.unacknowledged = unacknowledged(response, to: request, transaction, at: now)
        legs[id] = .established(established)
        handle(layer.respond(response, to: transaction, at: now), at: now)
        armSuccess(id)
        armSession(id, at: now)
        tell(id, established.negotiation.agreed, unless: before)
    }

    /// A second INVITE before the first one has its answer (RFC 3261 §14.2), or behind a goodbye.
    private mutating func reofferedEarly(
        _ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant
    ) {
        switch legs[id] {
        case .offered: askToWait(request, transaction, at: now)
        case .inviting: answer(request, .requestPending, transaction, at: now)
        case nil, .placing, .established, .leaving: answer(request, .callDoesNotExist, transaction, at: now)
        }
    }

    /// The 2xx to a re-INVITE or an UPDATE of a call that is up: with our answer to its offer, with an offer where an
    /// INVITE leaves it to us, with neither to an UPDATE that only refreshes. Nil: it was refused.
    mutating func accept(
        _ request: SIPRequest, _ id: LegID, _ established: inout Leg.Established, _ transaction: ServerTransactionID,
        at now: Instant
    ) -> SIPResponse? {
        if let refusal = refusalOfSession(request) ?? request.refusalOfBody(tag: context.identifiers.makeTag()) {
            handle(layer.respond(refusal, to: transaction, at: now), at: now)
            return nil
        }
        var response = request.response(.ok)
        introduce(&response.headers, contact: established.contact)
        let offer = (try? request.body(of: .sdp)) ?? nil
        if request.method == .invite || offer != nil {
            guard !established.negotiation.isOffering else {
                crossed(id, established)
                answer(request, .requestPending, transaction, at: now)
                return nil
            }
            do throws(RequestRefusal) {
                response.body = try terms(offer, &established).bytes
            } catch {
                answer(request, error, transaction, at: now)
                return nil
            }
            response.headers.set(.contentType, MediaType.sdp)
        }
        established.session = answerSession(request, established.session, in: &response.headers, at: now)
        return response
    }

    private mutating func terms(
        _ offer: [UInt8]?, _ established: inout Leg.Established
    ) throws(RequestRefusal) -> SessionDescription {
        guard let offer else {
            return established.negotiation.offer(held: established.isHeldHere, isOpen: true, using: &context.generator)
        }
        return try answer(offer, in: &established.negotiation, held: established.isHeldHere)
    }

    /// Our answer to an offer inside a dialog.
    mutating func answer(
        _ offer: [UInt8], in negotiation: inout MediaNegotiation, held: Bool
    ) throws(RequestRefusal) -> SessionDescription {
        let description: SessionDescription
        do throws(SDPParseError) { description = try SessionDescription(parsing: offer) } catch {
            throw RequestRefusal(.notAcceptableHere, error)
        }
        do throws(NegotiationError) {
            return try negotiation.answer(to: description, held: held, using: &context.generator).description
        } catch {
            throw RequestRefusal(error)
        }
    }

    private mutating func crossed(_ id: LegID, _ established: Leg.Established) {
        guard case .offering(var offer) = established.change else { return }
        var established = established
        offer.isCrossed = true
        established.change = .offering(offer)
        legs[id] = .established(established)
    }

    /// ACK of a 2xx of ours; in it may be the answer to the offer that the 2xx made.
    mutating func acknowledged(by ack: SIPRequest, at now: Instant) {
        guard let dialog = try? Dialog.ID(ack), let id = leg(of: dialog), let waiting = legs[id]?.unacknowledged,
            (try? ack.headers.cSeq.number) == waiting.sequence
        else { return }
        legs[id]?.unacknowledged = nil
        armSuccess(id)
        switch legs[id] {
        case .established(var established):
            if established.isToldAtACK, let agreed = established.negotiation.agreed {
                established.isToldAtACK = false
                legs[id] = .established(established)
                answered(id, agreed, at: now)
            }
            if established.negotiation.isOffering {
                concludeLateOffer(id, &established, ack, at: now)
            }
            proceed(id, at: now)
        case .leaving(let leaving):
            sendBye(id, dialogAfterACK(leaving), leaving.end, at: now)
        case nil, .placing, .inviting, .offered: break
        }
    }

    private func dialogAfterACK(_ leaving: Leg.Leaving) -> Dialog {
        switch leaving.stage {
        case .awaitingACK(let established): established.dialog
        case .bye(let dialog): dialog
        case .cancelling: preconditionFailure("a leg that we cancel has no 2xx of ours")
        }
    }

    private mutating func concludeLateOffer(
        _ id: LegID, _ established: inout Leg.Established, _ ack: SIPRequest, at now: Instant
    ) {
        let before = established.negotiation.agreed
        let answer = (try? ack.body(of: .sdp)).flatMap { try? SessionDescription(parsing: $0) }
        let agreed = answer.flatMap { try? established.negotiation.conclude($0) }
        if agreed == nil { established.negotiation.withdraw() }
        legs[id] = .established(established)
        switch (before, agreed) {
        case (nil, let agreed?): answered(id, agreed, at: now)
        case (nil, nil): sendBye(id, established.dialog, .incompatible, at: now)
        case (let before?, let agreed): tell(id, agreed ?? before, unless: before)
        }
    }

    /// Tells of new terms; a far end that only refreshes the old ones changes nothing.
    mutating func tell(_ id: LegID, _ agreed: NegotiatedMedia?, unless before: NegotiatedMedia?) {
        guard let agreed, agreed != before, legs[id]?.isToldAtACK != true else { return }
        outputs.append(.renegotiated(id, agreed))
    }
}
