import Base
import SDPCore
import SIPCore

/// Handles offers of the far end, and its answers to the offers that it requested.
extension OfferAnswer {
    /// Writes the 2xx to a far end's re-INVITE or UPDATE (RFC 3261 §14.2, RFC 3311 §5.2). It has our answer to an
    /// offer, or our offer if an INVITE has none. The 2xx to an UPDATE that only refreshes has neither.
    package mutating func accept(
        _ request: SIPRequest, context: inout LineContext, at now: Instant
    ) throws(RequestRefusal) -> SIPResponse {
        if let refusal = context.refusalOfSession(request) ?? request.refusalOfBody { throw refusal }
        var response = request.response(.ok)
        context.introduce(&response.headers, contact: contact)
        let offer = (try? request.body(of: .sdp)) ?? nil
        if request.method == .invite || offer != nil {
            if negotiation.isOffering {
                cross()
                throw RequestRefusal(.requestPending)
            }
            response.body = try description(offer, context: &context).bytes
            response.headers.set(.contentType, MediaType.sdp)
        }
        hold(context.answerSession(request, session, in: &response.headers, at: now), at: now)
        awaitsACK = awaitsACK || request.method == .invite
        return response
    }

    private mutating func cross() {
        guard case .offering(var offer) = change else { return }
        offer.isCrossed = true
        change = .offering(offer)
    }

    private mutating func description(
        _ offer: [UInt8]?, context: inout LineContext
    ) throws(RequestRefusal) -> SessionDescription {
        guard let offer else {
            return negotiation.offer(held: isHeldHere, isOpen: true, using: &context.generator)
        }
        let wasAwaited = negotiation.agreed?.isAwaitedByICE ?? false
        let answer = try negotiation.answer(offer, held: isHeldHere, context: &context)
        // A server may connect the call to an end that waits for ICE.
        if !wasAwaited, negotiation.agreed?.isAwaitedByICE == true { reoffer.purposes.insert(.leavesICE) }
        return answer
    }

    /// Handles the ACK of our 2xx.
    /// - Parameter answer: The answer to the offer in the 2xx, if the 2xx had one.
    package mutating func acknowledged(_ answer: SessionDescription?) -> [Effect] {
        (awaitsACK, isNew) = (false, false)
        // An outstanding offer was in the 2xx, unless it is a move that did not wait for this ACK.
        guard negotiation.isOffering, !isOut else { return proceed() }
        let before = negotiation.agreed
        var agreed: Agreement?
        if let answer {
            do throws(NegotiationError) { agreed = try negotiation.conclude(answer) } catch {
                if error.isAboutProtection, negotiation.mayOfferInClear { return offerInClear() }
            }
        }
        if agreed == nil { negotiation.withdraw() }
        switch (before, agreed) {
        case (nil, let agreed?): return [.agreed(agreed)] + proceed()
        case (nil, nil): return [.end(.incompatible)]
        case (let before?, let agreed?): return (agreed == before ? [] : [.renegotiated(agreed)]) + proceed()
        case (_?, nil): return proceed()
        }
    }
}
