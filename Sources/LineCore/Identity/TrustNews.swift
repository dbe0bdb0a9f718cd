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
