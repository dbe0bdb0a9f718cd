import Base
import SDPCore
import SIPCore

/// Changes of the terms of a call that the far end asks for (RFC 3261 §14.2), and what its ACK brings.
extension LineMachine {
    mutating func reoffered(
        _ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant
    ) {
        guard case .established(var established) = legs[id] else {
            // A second INVITE before the first one has its answer (RFC 3261 §14.2), or behind a goodbye.
            let status = legs[id]?.isLeaving == true ? SIPStatus.callDoesNotExist : .serverInternalError
            return answer(request, status, transaction, at: now)
        }
        guard !established.negotiation.isOffering else {
            if case .offering(var offer) = established.change {
                offer.isCrossed = true
                established.change = .offering(offer)
                legs[id] = .established(established)
            }
            return answer(request, .requestPending, transaction, at: now)
        }
        let before = established.negotiation.agreed
        var response = request.response(.ok)
        complete(&response.headers, contact: established.contact)
        do {
            response.body =
                if let offer = try request.body(of: .sdp) {
                    try established.negotiation.answer(
                        to: SessionDescription(parsing: offer), held: established.isHeldHere, using: &generator
                    ).description.bytes
                } else {
                    established.negotiation.offer(held: established.isHeldHere, using: &generator).bytes
                }
        } catch let fault as BodyFault {
            return answer(request, fault.status, transaction, at: now)
        } catch {
            return answer(request, .notAcceptableHere, transaction, at: now)
        }
        established.unacknowledged = unacknowledged(response, to: request, transaction, at: now)
        legs[id] = .established(established)
        handle(layer.respond(response, to: transaction, at: now), at: now)
        armSuccess(id)
        tell(id, established.negotiation.agreed, unless: before)
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
            if established.negotiation.isOffering {
                concludeLateOffer(id, &established, ack, at: now)
            }
            proceed(id, at: now)
        case .leaving(let leaving):
            sayGoodbye(id, dialogAfterACK(leaving), leaving.end, at: now)
        case nil, .placing, .inviting, .offered: break
        }
    }

    private func dialogAfterACK(_ leaving: Leg.Leaving) -> Dialog {
        switch leaving.stage {
        case .awaitingACK(let established): established.dialog
        case .goodbye(let dialog): dialog
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
        case (nil, let agreed?): answered(id, agreed)
        case (nil, nil): sayGoodbye(id, established.dialog, .incompatible, at: now)
        case (let before?, let agreed): tell(id, agreed ?? before, unless: before)
        }
    }

    /// Tells of new terms; a far end that only refreshes the old ones changes nothing.
    private mutating func tell(_ id: LegID, _ agreed: AgreedMedia?, unless before: AgreedMedia?) {
        guard let agreed, agreed != before else { return }
        outputs.append(.renegotiated(id, agreed))
    }
}
