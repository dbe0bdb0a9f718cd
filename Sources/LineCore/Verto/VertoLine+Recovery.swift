import Base
import SDPCore
import VertoCore

/// Recovers calls after a lost connection, and carries out our own moves, which such a loss delays.
///
/// A server gives a call back with a new offer. If the offer begins new media, our answer begins a new session, too: at
/// our present address, with other candidates and another handshake. So that answer settles a move that waits for it,
/// or that follows soon.
extension VertoLine {
    /// How long after such an answer a move counts as settled by it. Candidates take a second to gather.
    private static let renewalTime = Duration.seconds(5)

    // MARK: Calls that are given back

    /// Marks a call whose connection is gone. Voice may go on. The session decides how long to wait for the call.
    mutating func recover(_ leg: CallID) {
        legs[leg]?.isRecovering = true
        legs[leg]?.renewedUntil = nil
        legs[leg]?.putOffMove()
    }

    /// Answers the server's offer for a call that it gives back with new media. The call is up at the server: the far
    /// end has answered, or the server received our answer.
    mutating func attach(_ leg: CallID, _ sdp: String, at now: Instant) {
        guard let before = legs[leg]?.stage, let answer = answerAnew(leg, sdp, at: now),
            let attaching = legs[leg], let negotiation = attaching.negotiation
        else { return }
        legs[leg]?.stage = .up(negotiation)
        legs[leg]?.isRecovering = true
        post(.call(attaching.call, .attachAnswer(sdp: answer.text)), at: now)
        if case .up = before { return tellTerms(leg) }
        if let agreed = attaching.agreed { tellAnswered(leg, agreed) }
    }

    /// Answers a call that the server offers again, because it did not get our answer.
    mutating func reoffered(_ leg: CallID, _ sdp: String, at now: Instant) {
        switch legs[leg]?.stage {
        case .offered:
            guard let offer = try? SessionDescription(parsing: Array(sdp.utf8)) else { return }
            legs[leg]?.stage = .offered(offer)
            legs[leg]?.forgetTrickled()
        case .answering: answerAgain(leg, sdp, at: now)
        // The call was given back, and the connection was lost again before the server got our answer.
        case .up: if answerAgain(leg, sdp, at: now) { tellTerms(leg) }
        case .inviting, .ending, nil: break
        }
    }

    /// - Returns: Whether the call goes on.
    @discardableResult
    private mutating func answerAgain(_ leg: CallID, _ sdp: String, at now: Instant) -> Bool {
        guard let answer = answerAnew(leg, sdp, at: now), let call = legs[leg]?.call else { return false }
        post(.call(call, .answer(sdp: answer.text, isTrickled: answer.announcesCandidates)), at: now)
        return true
    }

    /// Our answer to an offer that replaces the earlier descriptions. Nil: no answer is possible, and the call ends.
    private mutating func answerAnew(_ leg: CallID, _ sdp: String, at now: Instant) -> SessionDescription? {
        guard var answering = legs[leg], var negotiation = answering.resting else { return nil }
        answering.putOffMove()
        answering.renewedUntil = nil
        if case .waiting(let ice) = answering.move { gather(ice, &negotiation) }
        let offer = try? SessionDescription(parsing: Array(sdp.utf8))
        if let offer, !negotiation.goesOn(with: offer) {
            if answering.isRecovering {
                let tellsPlace = negotiation.renew(at: localHost, for: offer, using: &generator)
                answering.renewedUntil = tellsPlace ? now + Self.renewalTime : nil
            } else {
                // The server has lost nothing, but its media may be new.
                negotiation.doubtAssociation()
            }
        }
        guard let offer, let answer = try? negotiation.answer(to: offer, held: false, using: &generator) else {
            end(leg, .incompatible, .incompatibleDestination, at: now)
            return nil
        }
        answering.forgetTrickled()
        answering.describe(by: answer.description)
        answering.resume(from: negotiation)
        legs[leg] = answering
        return answer.description
    }

    /// Records that the server has the call, and accepts requests about it again.
    mutating func restored(_ leg: CallID, at now: Instant) {
        legs[leg]?.isRecovering = false
        if case .waiting(let ice)? = legs[leg]?.move { askToMove(leg, ice, at: now) }
    }

    // MARK: Our moves

    /// Moves to other candidates of this phone. A later move replaces one that is not settled.
    mutating func move(_ leg: CallID, _ ice: LocalICE?, at now: Instant) {
        guard let moving = legs[leg], case .up = moving.stage else { return }
        if let until = moving.renewedUntil {
            legs[leg]?.renewedUntil = nil
            if now < until { return outputs.append(.event(.moved(leg, moving.agreed?.media))) }
        }
        if moving.isRecovering { legs[leg]?.move = .waiting(ice) } else { askToMove(leg, ice, at: now) }
    }

    /// Asks the server to move our media. Its answer has its own candidates.
    private mutating func askToMove(_ leg: CallID, _ ice: LocalICE?, at now: Instant) {
        guard var moving = legs[leg], case .up = moving.stage, var negotiation = moving.resting else { return }
        gather(ice, &negotiation)
        let offer = negotiation.offer(held: false, using: &generator)
        (moving.stage, moving.move) = (.up(negotiation), .asked(ice))
        legs[leg] = moving
        post(.call(moving.call, .updateMedia(sdp: offer.text)), at: now)
    }

    /// - Parameter ice: Nil: the media use the line's own address.
    private func gather(_ ice: LocalICE?, _ negotiation: inout MediaNegotiation) {
        if let ice { negotiation.gathered(ice) } else { negotiation.move(to: localHost) }
    }

    /// Handles the answer to our move. Nil: it was refused. A refusal does no harm if the server has given the call
    /// back and already knows our ICE session. A move that still waits for that has not failed.
    mutating func updated(_ leg: CallID, _ sdp: String?) {
        guard var updating = legs[leg], case .up(var negotiation) = updating.stage,
            case .asked(let ice) = updating.move
        else { return }
        let isAnswered = sdp.flatMap { Self.conclude(&negotiation, $0) } != nil
        if isAnswered { updating.forgetTrickled() } else { negotiation.withdraw() }
        (updating.stage, updating.move) = (.up(negotiation), .none)
        legs[leg] = updating
        outputs.append(.event(.moved(leg, isAnswered || updating.isIn(ice) ? updating.agreed?.media : nil)))
    }

    /// Reports new terms. If our answer had other candidates, the far end knows them from it.
    private mutating func tellTerms(_ leg: CallID) {
        guard let telling = legs[leg], let agreed = telling.agreed else { return }
        guard telling.hasToldMove else {
            return outputs.append(.event(.renegotiated(leg, agreed.media, heldByFarEnd: agreed.heldByFarEnd)))
        }
        legs[leg]?.move = .none
        legs[leg]?.renewedUntil = nil
        outputs.append(.event(.moved(leg, agreed.media)))
    }
}
