import Base
import SDPCore
import SIPCore

/// Changing the terms of a call that is up: hold and resume, from both ends (RFC 3261 §14).
extension LineMachine {
    // MARK: From here

    mutating func hold(_ id: LegID, _ held: Bool, at now: Instant) {
        switch legs[id] {
        case nil, .leaving: break
        case .placing, .inviting, .offered: outputs.append(.holdSettled(id, nil))
        case .established(var established):
            established.next = held
            legs[id] = .established(established)
            proceed(id, at: now)
        }
    }

    /// Begins the change that was wished for, as soon as one may begin.
    private mutating func proceed(_ id: LegID, at now: Instant) {
        guard case .established(var established) = legs[id], let held = established.next, established.isSettled
        else { return }
        established.next = nil
        if held == established.isHeldHere {
            legs[id] = .established(established)
            return outputs.append(.holdSettled(id, established.negotiation.agreed))
        }
        established.change = .offering(held: held)
        var request = established.dialog.request(.invite)
        complete(&request.headers, contact: established.contact)
        request.body = established.negotiation.offer(held: held, using: &generator).bytes
        legs[id] = .established(established)
        send(request, in: established.dialog, .reinvite(id), at: now)
    }

    /// The far end took our re-INVITE.
    mutating func changed(_ id: LegID, _ response: SIPResponse, at now: Instant) {
        guard case .established(var established) = legs[id], case .offering(let held) = established.change else {
            return
        }
        let agreed = Self.description(in: response).flatMap { try? established.negotiation.conclude($0) }
        if agreed == nil { established.negotiation.withdraw() } else { established.isHeldHere = held }
        established.change = .none
        legs[id] = .established(established)
        outputs.append(.holdSettled(id, agreed))
        proceed(id, at: now)
    }

    mutating func changeRejected(_ id: LegID, _ status: SIPStatus, at now: Instant) {
        guard case .established(var established) = legs[id], case .offering(let held) = established.change else {
            return
        }
        switch status {
        case .callDoesNotExist: return finish(id, .hungUpThere)
        case .requestTimeout: return sayGoodbye(id, established.dialog, .unreachable, at: now)
        case .requestPending:
            established.change = .afterGlare(held: held)
            timers.set(.glare(id), at: now + glarePause(id))
        default:
            established.change = .none
            outputs.append(.holdSettled(id, nil))
        }
        established.negotiation.withdraw()
        legs[id] = .established(established)
        proceed(id, at: now)
    }

    /// In units of 10 ms: the end that owns the Call-ID waits longer, so that one of both goes first
    /// (RFC 3261 §14.1).
    private mutating func glarePause(_ id: LegID) -> Duration {
        let range = id.origin == .local ? 210...400 : 0...200
        return .milliseconds(10 * Int.random(in: range, using: &generator))
    }

    mutating func offerAfterGlare(_ id: LegID, at now: Instant) {
        guard case .established(var established) = legs[id], case .afterGlare(let held) = established.change else {
            return
        }
        established.change = .none
        established.next = established.next ?? held
        legs[id] = .established(established)
        proceed(id, at: now)
    }

    // MARK: From there

    mutating func reoffered(
        _ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant
    ) {
        guard case .established(var established) = legs[id] else {
            // A second INVITE before the first one has its answer (RFC 3261 §14.2), or behind a goodbye.
            let status = legs[id]?.isLeaving == true ? SIPStatus.callDoesNotExist : .serverInternalError
            return answer(request, status, transaction, at: now)
        }
        guard !established.negotiation.isOffering else { return answer(request, .requestPending, transaction, at: now) }
        let before = established.negotiation.agreed
        var response = request.response(.ok)
        complete(&response.headers, contact: established.contact)
        do {
            response.body =
                if request.body.isEmpty {
                    established.negotiation.offer(held: established.isHeldHere, using: &generator).bytes
                } else {
                    try established.negotiation.answer(
                        to: SessionDescription(parsing: request.body), held: established.isHeldHere, using: &generator
                    ).description.bytes
                }
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
        let answer = try? SessionDescription(parsing: ack.body)
        let agreed = answer.flatMap { try? established.negotiation.conclude($0) }
        if agreed == nil { established.negotiation.withdraw() }
        legs[id] = .established(established)
        switch (before, agreed) {
        case (nil, let agreed?): outputs.append(.answered(id, agreed))
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
