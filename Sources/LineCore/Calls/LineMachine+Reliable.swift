import Base
import SIPCore

/// Reliable ringing, for callers that require it (RFC 3262 §3).
///
/// Our 180 has no session description, so an answer need not wait for its PRACK. The PRACK only stops the repetition.
extension LineMachine {
    mutating func alert(_ id: LegID, at now: Instant) {
        guard case .offered(var offered) = legs[id] else { return }
        var response = offered.response(.ringing)
        context.introduce(&response.headers, contact: context.contact(on: offered.flow))
        if offered.request.headers.requires("100rel") {
            guard let progress = reliable(response, offered, at: now) else { return }
            offered.progress = .unconfirmed(progress)
            response = progress.response
        }
        legs[id] = .offered(offered)
        armProgress(id)
        handle(layer.respond(response, to: offered.transaction, at: now), at: now)
    }

    /// Makes the response reliable. Nil if a reliable one was sent already. Nil also if the first reliable response
    /// would have to carry our offer (RFC 3262 §5). Before the answer there is no port to offer, and 100 is enough.
    private mutating func reliable(
        _ response: SIPResponse, _ offered: Leg.Offered, at now: Instant
    ) -> ReliableProgress? {
        guard case .none = offered.progress, offered.offer != nil, let cSeq = try? offered.request.headers.cSeq else {
            return nil
        }
        let sequence = RSeq(UInt32.random(in: 1...CSeq.maximum, using: &context.generator))
        var response = response
        response.headers.set(.require, tokens: ["100rel"])
        response.headers.set(.rSeq, sequence)
        return ReliableProgress(
            transaction: offered.transaction, response: response,
            retransmission: ResponseRetransmission(.provisional, timers: context.timers, at: now),
            acknowledgement: RAck(sequence, of: cSeq))
    }

    /// Sets the timer of the leg's reliable response according to the leg's state.
    private mutating func armProgress(_ id: LegID) {
        if case .offered(let offered) = legs[id], case .unconfirmed(let progress) = offered.progress,
            let due = progress.retransmission.deadline
        {
            timers.set(.progress(id), at: due)
        } else {
            timers.cancel(.progress(id))
        }
    }

    mutating func resendProgress(_ id: LegID, at now: Instant) {
        guard case .offered(var offered) = legs[id], case .unconfirmed(var progress) = offered.progress else { return }
        let outcome = progress.retransmission.deadlineReached(at: now)
        offered.progress = .unconfirmed(progress)
        legs[id] = .offered(offered)
        armProgress(id)
        switch outcome {
        case .nothing: break
        case .resend: handle(layer.respond(progress.response, to: progress.transaction, at: now), at: now)
        case .unacknowledged:
            handle(layer.respond(offered.response(.serverTimeout), to: offered.transaction, at: now), at: now)
            finish(id, .unreachable, at: now)
        }
    }

    /// Answers a PRACK, with a refusal if it matches no waiting response (RFC 3262 §3).
    mutating func confirmedProgress(
        _ id: LegID, _ request: SIPRequest, _ transaction: ServerTransactionID, at now: Instant
    ) {
        let acknowledgement: RAck
        do throws(SIPParseError) {
            acknowledgement = try request.headers.required(.rAck)
        } catch {
            return answer(request, .badRequest, transaction, at: now)
        }
        guard legs[id]?.confirm(acknowledgement) == true else {
            return answer(request, .callDoesNotExist, transaction, at: now)
        }
        timers.cancel(.progress(id))
        // The offer of the INVITE is still unanswered, so the PRACK may not make another one (RFC 3262 §5).
        answer(request, request.body.isEmpty ? .ok : .notAcceptableHere, transaction, at: now)
    }
}

extension Leg {
    /// Accepts the PRACK for our reliable response.
    /// - Returns: Whether a response with this number waits for it.
    fileprivate mutating func confirm(_ acknowledgement: RAck) -> Bool {
        switch self {
        case .offered(var offered):
            guard case .unconfirmed(let progress) = offered.progress, progress.acknowledgement == acknowledgement
            else { return false }
            offered.progress = .confirmed
            self = .offered(offered)
        case .established(var established):
            guard established.unconfirmed == acknowledgement else { return false }
            established.unconfirmed = nil
            self = .established(established)
        case .locating, .inviting, .leaving: return false
        }
        return true
    }
}
