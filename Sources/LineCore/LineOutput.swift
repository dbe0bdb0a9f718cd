import SIPCore

/// What a line reports, and asks its owner to do.
public enum LineOutput: Equatable, Sendable {
    case send([UInt8], Flow)
    /// Find the flows to this hop: resolve its name with `HopSearch`, and find our own address towards each of them.
    case locate(NextHop)
    /// Append this query to the path of each WebSocket that is opened from now on. It has visible characters and no
    /// question mark. Empty: append nothing.
    case ask(query: String)
    /// Close the connection of this flow, because nothing arrives over it any more. Open a new one when there is
    /// something to send.
    case abandon(Flow)
    case registration(RegistrationState)
    case offered(LegID, CallerIdentity)
    /// The line itself refused a call. When many such calls come in a short time, only the first are reported.
    case refused(CallerIdentity, from: Flow.Endpoint, because: CallRefusal)
    /// Our offer was sent.
    case offerSent(LegID)
    case ringing(LegID)
    case earlyMedia(LegID, NegotiatedMedia)
    case answered(LegID, NegotiatedMedia)
    /// What `orphanBye` needs to end this call from another process. It is opaque, to be stored, without secrets, and
    /// at most 2 KiB. It follows `answered`, once. A call whose addresses and routes need more space has no memo.
    case memo(LegID, String)
    case renegotiated(LegID, NegotiatedMedia, heldByFarEnd: Bool)
    /// The account's server named the far end again. Nil: unchanged. The texts are bounded as in `CallerIdentity`.
    /// Without a standing, only the far end gives this identity.
    case displayUpdated(LegID, name: String?, number: String?, standing: PartyStanding? = nil)
    /// Our own hold or resume is settled. Nil: it failed, and the old terms remain.
    case holdSettled(LegID, NegotiatedMedia?)
    /// Our hold or resume is sent again after this time, at most 10 s. It collided with the far end's offer (RFC 3261
    /// §14.1), or the far end was not ready (§21.5.1).
    case holdDelayed(LegID, by: Duration)
    /// Our own move is settled. Nil: the far end refused it or does not answer, and the dialog is unchanged.
    case moved(LegID, NegotiatedMedia?)
    /// The far end sent a digit by INFO.
    case dtmfReceived(LegID, DTMFSymbol)
    /// The digits to send by INFO are sent, and their sounding time is over. `unsent` was not sent, because the far end
    /// accepts no digits, or because too many were waiting.
    case dtmfSent(LegID, unsent: [DTMFElement])
    /// A text to show, of at most `LineMachine.textLimit` bytes. It has no control characters except line breaks.
    case text(CallerIdentity, String)
    /// Whether the far end accepted the request of `transfer` or `connect`.
    case transferSettled(LegID, accepted: Bool)
    /// The result of an accepted transfer. It is not reported for a leg that has already ended.
    case transferred(LegID, succeeded: Bool)
    /// The far end wants us to call another party in its place. `to` is for people: the number if it belongs to the
    /// account, else the whole address. Settled by `follow` or `declineReferral`.
    case referred(LegID, to: String)
    /// The party that we call wants us to call another one instead. `to` is as in `referred`. Settled by `redirect`.
    case redirected(LegID, to: String)
    /// The state of a number that the configuration watches.
    case watched(String, WatchedState)
    /// The number of new voice messages that the account's server keeps for us.
    case messagesWaiting(Int)
    /// The line learned more about the account's server, or refused something weaker.
    case trust(TrustNews)
    /// The server's or the far end's words for the end that follows.
    case endTold(LegID, ServerEnd)
    /// Comes once for each leg, as the last output about it.
    case ended(LegID, LegEnd)
    /// A message was received or sent.
    case trace(SignalTrace)
    /// A hint for a person who looks for a fault.
    case remark(String)
    /// A message was not read because of its source. The method is given if the message is a request and its method was
    /// read. When many such messages come, only the first are reported.
    case turnedAway(SIPMethod?, from: Flow, because: GateRefusal)
    /// Input that had no effect.
    case dropped(TransactionLayer.Drop)
    /// Unusable STUN: it is malformed, answers none of our requests, comes too often, or comes over a flow on which the
    /// line accepts no STUN.
    case strayKeepAlive
    /// The answer to `shutDown`.
    case finished
}

/// What a line reports about its trust in the account's server.
public enum TrustNews: Equatable, Sendable {
    /// The line has learned more about the server. The next process is to know this from its start.
    case learned(LineTrust)
    /// Somebody asked for less security than the server has shown, and was refused. When many such cases come in a
    /// short time, only the first are reported.
    case refused(TrustBreach)
}

/// A downgrade: less security is offered or requested than the account's server has shown.
public enum TrustBreach: Equatable, Sendable {
    /// Each challenge asks for a weaker proof than this one, which the server accepted before.
    case weakerProof(than: LineTrust.Proof)
    /// DNS names no TLS, although the server was reached over TLS before.
    case weakerTransport

    /// The refused downgrade, as a sentence for people.
    public var sentence: String {
        switch self {
        case .weakerProof(let known):
            "a challenge was not answered: it asks for a weaker proof of the password than \(known.words), "
                + "which was given before"
        case .weakerTransport:
            "the server was not contacted: the name service no longer offers TLS, "
                + "over which it was reached before"
        }
    }
}
