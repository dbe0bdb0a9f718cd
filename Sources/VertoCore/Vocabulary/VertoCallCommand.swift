import Telephony

/// What the owner wants of a call. A command for a call that is not there is without effect: it has just ended.
public enum VertoCallCommand: Equatable, Sendable {
    /// Begins a call. It needs `VertoState.ready` and room, else it ends at once as `notReady`.
    case invite(VertoInvitation)
    /// Takes a call that was offered. While the connection is lost it is without effect: `VertoCallEvent.reoffered` says
    /// when it can be given.
    /// - Parameter isTrickled: Whether candidates follow; without effect where the dialect cannot.
    case answer(sdp: String, headers: [CallHeader] = [], isTrickled: Bool = false)
    /// Hangs up, gives up, or turns down, whatever the call does; the server is told as soon as it can be.
    /// - Parameter cause: Nil is `normalClearing` for a call that is up, else `userBusy`, as Telnyx's own programs say.
    case bye(VertoCause? = nil)
    /// Puts the far end on hold, or takes it back. While one is asked for, the last wish counts. No description changes.
    case hold(Bool)
    /// Sends a digit when the server has taken those before it. Pauses are the owner's.
    case dtmf(DTMFSymbol)
    /// A candidate of ours. Before the answer is sent it waits.
    case candidate(VertoCandidate)
    case endOfCandidates
    /// An offer with new credentials of ICE. A later one takes the place of one that is not answered.
    case updateMedia(sdp: String)
    /// Gives the far end to the party at this number (blind transfer). Answered by `transferred` or `transferFailed`.
    case transfer(to: String)
    /// Gives the far end to the far end of another call of the session (attended transfer). Answered as `transfer` is.
    case replace(VertoCallID)
    /// The answer to `VertoCallEvent.attachOffered`, with all candidates that are known.
    case attachAnswer(sdp: String)
}
