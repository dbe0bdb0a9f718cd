import SIPCore

/// What a line reports, and asks its owner to do.
public enum LineOutput: Equatable, Sendable {
    case send([UInt8], Flow)
    /// Ask a name server. Answered by `lookedUp`, always.
    case lookUp(DNSQuestion)
    /// Find the flows to this hop: our own address towards each of its targets. Answered by `located`.
    case locate(NextHop, [HopSearch.Target])
    /// Append this query to the path of each WebSocket that is opened from now on. It has visible characters and no
    /// question mark. Empty: append nothing.
    case ask(query: String)
    /// Close the connection of this flow, because nothing arrives over it any more. Open a new one when there is
    /// something to send.
    case abandon(Flow)
    /// What the phone learns.
    case event(LineEvent)
    /// The line learned more about the account's server, or refused something weaker.
    case trust(TrustNews)
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
