/// The server's confirmation of the far end's identity, beside its name and number.
public enum PartyStanding: Equatable, Codable, Sendable {
    /// The far end withholds its number.
    case withheld
    /// The server vouches for the number.
    case vouched(AssertedNumber)
    /// The far end gives another identity, which the server does not confirm. The display stays, but rights end.
    case doubted
}
