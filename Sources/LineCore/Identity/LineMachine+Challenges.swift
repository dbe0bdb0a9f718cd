import Base
import SIPCore

/// Answers challenges (RFC 3261 §22): only of the account's own server, and only in the realm that it named first. It
/// never answers inside a call that a far end opened. A far end that challenges our BYE there would get a hash from
/// which it can guess the password.
extension LineMachine {
    /// Sends a challenged request again with credentials, if this account answers the challenge.
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
        case .refuseWeaker(let known):
            fault = "the server asks for a weaker proof of the password than before"
            report(.weakerProof(than: LineTrust.Proof(known)), at: now)
            return false
        case .probe: return probe(request, at: now)
        case .proceed:
            guard let again = again(request) else { return false }
            resend(again, for: request, challenges: request.challenges + 1, at: now)
            return true
        }
    }

    /// Finds out whether the server itself sent a 401 to a call. A proxy sends 407, so a 401 comes from the called
    /// party (RFC 3261 §22.2, §22.3). That may be anyone, and must not get a hash of the password. But a server that is
    /// itself an end of each call (a B2BUA) sends 401, too. It sends 401 again to a request that may not be forwarded
    /// (Max-Forwards: 0, §16.3). No far end ever sees such a request.
    private mutating func probe(_ request: SentRequest, at now: Instant) -> Bool {
        switch request.purpose {
        case .invite, .subscribe: break
        case .register, .unregister, .reinvite, .update, .prack, .bye, .info, .strayBye, .refer, .notify, .orphanBye,
            .options:
            return false
        }
        guard var again = again(request) else { return false }
        again.headers.set(.maxForwards, SIPNumber(0))
        resend(again, for: request, challenges: request.challenges, isProbe: true, at: now)
        return true
    }

    /// Whether a challenge to a request with this purpose may be answered. The line learns the realm from its first
    /// requests to the server: from REGISTER if the account registers, and never from a request inside a call.
    private func mayBeChallenged(_ purpose: Purpose, in named: String) -> Bool {
        let isKnown = authentication.realm != nil
        return switch purpose {
        case .register, .unregister: true
        // A server that did not challenge a registration, or has not answered it yet, does not challenge a call. Such a
        // challenge may come from a far end.
        case .invite, .subscribe: isKnown || configuration.account?.registers == false
        case .reinvite(let leg), .update(let leg), .prack(let leg, _), .bye(let leg), .info(let leg), .refer(let leg):
            leg.origin == .local && isKnown
        // A far end whose REFER came outside the call opened the dialog of our NOTIFY.
        case .notify(let leg): leg.origin == .local && isKnown && !referrals.isOutside(leg)
        case .orphanBye(let number): orphanByes.realm(of: number) == named
        // A challenge already shows that the server is there.
        case .strayBye, .options: false
        }
    }
}
