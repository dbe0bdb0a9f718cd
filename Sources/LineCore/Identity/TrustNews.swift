/// What a line reports of its trust in the account's server.
public enum TrustNews: Equatable, Sendable {
    /// The line knows more of the server than before. This is for the next process, which is to have it from its start.
    case learned(LineTrust)
    /// Somebody asked for less than what is known of the server, and got nothing. Of many such cases in a short time
    /// only the first are reported.
    case refused(TrustBreach)
}

/// A downgrade: less security is asked for, or offered, than the account's server is known for.
public enum TrustBreach: Equatable, Sendable {
    /// Each challenge asks for a weaker proof than this one, which was given before.
    case weakerProof(than: LineTrust.Proof)
    /// DNS names no TLS, over which the server was reached before.
    case weakerTransport

    /// What was refused, as a sentence for people.
    public var sentence: String {
        switch self {
        case .weakerProof(let known):
            "a challenge was not answered: it asks for a weaker proof of the password than \(known.words), "
                + "which was given before"
        case .weakerTransport:
            "the server was not contacted: the name service says that it speaks no TLS, "
                + "over which it was reached before"
        }
    }
}
