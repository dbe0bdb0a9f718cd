import SDPCore
import SIPCore

/// What a line does and reports.
public enum LineOutput: Equatable, Sendable {
    case send([UInt8], Flow)
    /// Find the flows to this hop: resolve its name as `HopSearch` says, and find our own address towards each of them.
    case locate(NextHop)
    /// Append this query to the path of each WebSocket that is opened from now on. It has visible characters and no question
    /// mark; empty for none.
    case ask(query: String)
    /// Nothing arrives over this flow any more. Its connection is to be closed, and opened anew when there is something
    /// to send.
    case abandon(Flow)
    case registration(RegistrationState)
    case offered(LegID, CallerIdentity)
    /// The line itself turned a call away. Of many such calls in a short time only the first are reported.
    case refused(CallerIdentity, from: Flow.Endpoint, because: CallRefusal)
    /// Our offer was sent.
    case offerSent(LegID)
    case ringing(LegID)
    case earlyMedia(LegID, NegotiatedMedia)
    case answered(LegID, NegotiatedMedia)
    /// What `orphanBye` needs to end this call from another process: opaque, to be stored, without secrets, at most 2
    /// KiB. It follows `answered`, once. A call whose addresses and routes take more space has none.
    case memo(LegID, String)
    case renegotiated(LegID, NegotiatedMedia)
    /// The account's server says who the far end is now. Nil: that has not changed. The texts are bounded as in
    /// `CallerIdentity`. Without a standing, only the far end says so.
    case displayUpdated(LegID, name: String?, number: String?, standing: PartyStanding? = nil)
    /// Our own hold or resume is settled. Nil: it failed, and the old terms remain.
    case holdSettled(LegID, NegotiatedMedia?)
    /// Our hold or resume collided with an offer of the far end (RFC 3261 §14.1), or the far end was not ready for it
    /// (§21.5.1). It is sent again after this time: at most 10 s.
    case holdDelayed(LegID, by: Duration)
    /// Our own move is settled. Nil: the far end refused it or does not answer, and the dialog is unchanged.
    case moved(LegID, NegotiatedMedia?)
    /// The far end sent a digit by INFO.
    case dtmfReceived(LegID, DTMFSymbol)
    /// The digits that were to be sent by INFO are sent and have sounded. `unsent` was not sent, because the far end
    /// accepts no digits, or because too many were waiting.
    case dtmfSent(LegID, unsent: [DTMFElement])
    /// A text to show, of at most `LineMachine.textLimit` bytes. It has no control characters except line breaks.
    case text(CallerIdentity, String)
    /// Whether the far end accepted what `transfer` or `connect` asked of it.
    case transferSettled(LegID, accepted: Bool)
    /// The result of a transfer that was accepted. It is not reported for a leg that ended before.
    case transferred(LegID, succeeded: Bool)
    /// The far end wants us to call another party in its place. `to` is for people: the number if it is one of the
    /// account's own, else the whole address. Settled by `follow` or `declineReferral`.
    case referred(LegID, to: String)
    /// The party that we call wants us to call another one instead. `to` is as in `referred`. Settled by `redirect`.
    case redirected(LegID, to: String)
    /// The state of a number that is watched by configuration.
    case watched(String, WatchedState)
    /// The number of new voice messages that the account's server keeps for us.
    case messagesWaiting(Int)
    /// The line knows more of the account's server than before, or refused what is less than that.
    case trust(TrustNews)
    /// Comes once for each leg, as the last output about it.
    case ended(LegID, LegEnd)
    /// A message was received or sent.
    case trace(SignalTrace)
    /// What a person may want to read who looks for a fault.
    case remark(String)
    /// A message was not read because of its source. The method is given if the message is a request that was read so
    /// far. Of many such messages only the first are reported.
    case turnedAway(SIPMethod?, from: Flow, because: GateRefusal)
    /// Input that had no effect.
    case dropped(TransactionLayer.Drop)
    /// STUN that has no use: it is malformed, answers no request of ours, comes too often, or comes over a flow from
    /// which the line takes none.
    case strayKeepAlive
    /// The answer to `shutDown`.
    case finished
}
