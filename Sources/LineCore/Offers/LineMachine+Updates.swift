import Base
import SDPCore
import SIPCore

/// Handles UPDATEs of the far end: new terms without an INVITE, before and after the answer, or only a refresh (RFC
/// 3311 §5.2).
extension LineMachine {
    mutating func updated(
        _ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, over flow: Flow, at now: Instant
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
        _ id: LegID, _ inviting: Leg.Inviting, _ request: SIPRequest, _ transaction: ServerTransactionID,
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
        progress(.earlyMedia(id, agreed), of: id, .sessionProgress, at: now)
    }
}
