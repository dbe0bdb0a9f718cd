import Telephony

/// A change of a call's state.
public enum VertoCallEvent: Equatable, Sendable {
    case incoming(VertoIncomingCall)
    /// A call to us was refused as busy, because there was no room.
    case turnedAway(VertoIncomingCall)
    /// The server has accepted our call.
    case created
    /// The far end rings. The owner plays ringback until `earlyMedia` or `answered`.
    case ringing(callee: VertoParty, VertoReferences)
    /// The far end's description, before it answers.
    case earlyMedia(sdp: String)
    /// The far end answered our call.
    /// - Parameter sdp: It replaces the one of `earlyMedia`. Nil: that one remains.
    case answered(sdp: String?)
    /// The server has confirmed our answer.
    case connected
    /// The far end has another identity now.
    case display(VertoParty)
    case held(Bool)
    /// The hold is unchanged.
    case holdFailed
    case dtmfSent(DTMFSymbol)
    /// This digit and those that waited behind it are dropped.
    case dtmfFailed
    /// The far end's candidate, which may come before the answer.
    case candidate(VertoCandidate)
    case endOfCandidates
    /// The answer to `updateMedia`.
    case mediaUpdated(sdp: String)
    case mediaUpdateFailed
    /// The far end is connected to another party now. The server ends the call.
    case transferred
    /// The far end is still in this call.
    case transferFailed
    /// The connection is gone. The server may give the call back within `VertoTiming.reattachLimit`. Media may go on.
    /// Earlier requests fail after this event, and requests before `reattached` fail at once.
    case recovering
    /// The server offers the call again with new media, and needs `attachAnswer`. Earlier requests fail after this
    /// event.
    case attachOffered(sdp: String)
    /// The server offers a call again that still rings there. The offer replaces the one before. A call that was just
    /// answered must be answered again.
    case reoffered(sdp: String)
    case reattached
    /// The last event of a call.
    case ended(VertoEnd)
}
