import SDPCore
import SIPCore

/// What a line does and tells.
public enum LineOutput: Equatable, Sendable {
    case send([UInt8], Flow)
    /// Find the ways to this hop: resolve its name as `HopSearch` says, and find the own address towards each of them.
    case locate(NextHop)
    /// Nothing arrives over this flow any more: a connection is closed, and opened anew when there is something to send.
    case abandon(Flow)
    case registration(RegistrationState)
    case offered(LegID, CallerIdentity)
    /// Somebody called and was turned away by the line itself. Of very many in a short time only the first are told.
    case refused(CallerIdentity, from: Flow.Endpoint, because: CallRefusal)
    /// Our offer left.
    case offerSent(LegID)
    case ringing(LegID)
    case earlyMedia(LegID, NegotiatedMedia)
    case answered(LegID, NegotiatedMedia)
    /// What `orphanBye` needs to leave this call from another process: opaque, on the way to be stored, without secrets,
    /// at most 2 KiB. Follows `answered`, once; a call whose way takes more to write has none.
    case memo(LegID, String)
    case renegotiated(LegID, NegotiatedMedia)
    /// Our own hold or resume is settled. Nil: it failed, and the old terms hold.
    case holdSettled(LegID, NegotiatedMedia?)
    /// Our hold or resume met an offer of the far end's (RFC 3261 §14.1), or a far end that was not ready for it
    /// (§21.5.1), and goes again after so long: at most 10 s.
    case holdDelayed(LegID, by: Duration)
    /// Our own move is settled. Nil: the far end refused it or does not answer, and the dialog is as it was.
    case moved(LegID, NegotiatedMedia?)
    /// The far end sent a digit in words, by INFO.
    case dtmfReceived(LegID, DTMFSymbol)
    /// The last digit that was to be sent by INFO has left and sounded; but not these: the far end takes none, or too
    /// many waited.
    case dtmfSent(LegID, unsent: [DTMFElement])
    /// A text for the display, of at most `LineMachine.textLimit` bytes, without control characters but line breaks.
    case text(CallerIdentity, String)
    /// Whether the far end took on what `transfer` or `connect` asked of it.
    case transferSettled(LegID, accepted: Bool)
    /// What came of a transfer that was accepted. Not told of a leg that ended before.
    case transferred(LegID, succeeded: Bool)
    /// The far end wants us to call somebody else in its place: the number for people, as that of `CallerIdentity`.
    /// Settled by `follow` or `declineReferral`.
    case referred(LegID, to: String)
    /// Whom we called wants us to call somebody else instead: as `referred`. Settled by `redirect`.
    case redirected(LegID, to: String)
    /// What the phones of a number do that is watched by configuration.
    case watched(String, WatchedState)
    /// New voice messages that the account's server keeps for us.
    case messagesWaiting(Int)
    /// Comes once for each leg, which is named no more.
    case ended(LegID, LegEnd)
    /// A message went in or out.
    case trace(SignalTrace)
    /// A message was not read, because of whom it came from. The method of a request, if it was read so far. Told of the
    /// first ones only when there are many.
    case turnedAway(SIPMethod?, from: Flow, because: GateRefusal)
    /// Input that led to nothing.
    case dropped(TransactionLayer.Drop)
    /// STUN that is malformed, answers nothing of ours, or comes too often.
    case strayKeepAlive
    /// The answer to `shutDown`.
    case finished
}
