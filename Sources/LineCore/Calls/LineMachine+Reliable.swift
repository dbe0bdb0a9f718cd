import Base
import SIPCore

/// Ringing that a caller wants to be certain of (RFC 3262 §3).
///
/// Our 180 has no session description, so an answer need not wait for its PRACK: only the repetition ends with it.
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

    /// The response with a number. Nil when one is out already, and when a first reliable one would have to make our
    /// offer (RFC 3262 §5): before the answer there is no port to offer, and 100 says all that can be said.
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

    /// Sets the timer of the leg's reliable response by what the leg knows.
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

    /// PRACK. One that belongs to nothing that waits for it is refused (RFC 3262 §3).
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
        // What is left to be answered is the INVITE's offer: another one before that is none (RFC 3262 §5).
        answer(request, request.body.isEmpty ? .ok : .notAcceptableHere, transaction, at: now)
    }
}

extension Leg {
    /// The PRACK of a reliable response of ours came.
    /// - Returns: Whether one with this number waits for it.
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
        case .placing, .inviting, .leaving: return false
        }
        return true
    }
}
