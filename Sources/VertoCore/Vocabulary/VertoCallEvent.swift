import Telephony

/// What happens to a call.
public enum VertoCallEvent: Equatable, Sendable {
    case incoming(VertoIncomingCall)
    /// A call to us for which there is no room: the server was told "busy".
    case turnedAway(VertoIncomingCall)
    /// The server has taken our call.
    case created
    /// The far end rings. The owner's ringback sounds until `earlyMedia` or `answered`.
    case ringing(callee: VertoParty, VertoReferences)
    /// The far end's description, before it answers.
    case earlyMedia(sdp: String)
    /// The far end took our call.
    /// - Parameter sdp: Nil: that of `earlyMedia` stays. One that comes after it takes its place.
    case answered(sdp: String?)
    /// The server has taken our answer.
    case connected
    /// Who the far end is now.
    case display(VertoParty)
    case held(Bool)
    /// Nothing has changed.
    case holdFailed
    case dtmfSent(DTMFSymbol)
    /// This digit and those that waited behind it are gone.
    case dtmfFailed
    /// A candidate of the far end's; it may come before the call is answered.
    case candidate(VertoCandidate)
    case endOfCandidates
    /// The answer to `updateMedia`.
    case mediaUpdated(sdp: String)
    case mediaUpdateFailed
    /// The far end is with another party now. The server ends the call.
    case transferred
    /// The far end is still here.
    case transferFailed
    /// The connection is gone; the server may give the call back within `VertoTiming.reattachLimit`. Media may go on. What
    /// was asked before fails after it, and what is asked before `reattached` fails at once.
    case recovering
    /// The server offers the call anew: `attachAnswer` is due, from new media. What was asked before fails after it.
    case attachOffered(sdp: String)
    /// The server offers anew what still rings there; the offer takes the place of the one before. A call that was just
    /// taken is answered again.
    case reoffered(sdp: String)
    case reattached
    /// The last event of a call.
    case ended(VertoEnd)
}
