import Base
import SIPCore

/// Challenges (RFC 3261 §22). Only the account's own server is answered, only in the realm that it named first, and never
/// inside a call that a far end opened: who challenges our BYE there gets a hash to guess the password from.
extension LineMachine {
    /// Sends a challenged request again with credentials, if the challenge is one that this account answers.
    mutating func answerChallenge(
        _ response: SIPResponse, to request: SentRequest, over flow: Flow, at now: Instant
    ) -> Bool {
        guard isOwnServer(flow), let named = authentication.realm(of: response),
            mayBeChallenged(request.purpose, in: named)
        else { return false }
        let reaction = authentication.accept(response, to: request, in: named) {
            context.identifiers.makeClientNonce()
        }
        switch reaction {
        case .refuse: return false
        case .probe: return probe(request, at: now)
        case .proceed:
            guard let again = again(request) else { return false }
            resend(again, for: request, challenges: request.challenges + 1, at: now)
            return true
        }
    }

    /// Finds out who says 401 to a call. A proxy says 407, so 401 is the word of whoever was called (RFC 3261 §22.2, §22.3), who
    /// may be anybody and gets no hash of the password. But a server that is an end of each call itself (a B2BUA) says it, too.
    /// It says it again to a request that may not be forwarded (Max-Forwards: 0, §16.3), which no far end ever sees.
    private mutating func probe(_ request: SentRequest, at now: Instant) -> Bool {
        switch request.purpose {
        case .invite, .subscribe: break
        case .register, .unregister, .reinvite, .update, .prack, .bye, .info, .strayBye, .refer, .notify, .orphanBye:
            return false
        }
        guard var again = again(request) else { return false }
        again.headers.set(.maxForwards, SIPNumber(0))
        resend(again, for: request, challenges: request.challenges, isProbe: true, at: now)
        return true
    }

    /// The realm is learned from what we ask the server first: where the account registers, from that; never from inside a
    /// call.
    private func mayBeChallenged(_ purpose: Purpose, in named: String) -> Bool {
        let isKnown = authentication.realm != nil
        return switch purpose {
        case .register, .unregister: true
        // A server that asked for no proof of a registration, or was not heard yet, asks for none in a call: whoever does may
        // be a far end.
        case .invite, .subscribe: isKnown || configuration.account?.registers == false
        case .reinvite(let leg), .update(let leg), .prack(let leg, _), .bye(let leg), .info(let leg), .refer(let leg):
            leg.origin == .local && isKnown
        // Whoever asked outside of the call opened the dialog in which it is told.
        case .notify(let leg): leg.origin == .local && isKnown && !referrals.isOutside(leg)
        case .orphanBye(let number): orphanByes.realm(of: number) == named
        case .strayBye: false
        }
    }
}
