/// What an account's server says about the far end of a call, beside its name and number.
public enum PartyStanding: Equatable, Codable, Sendable {
    /// The far end withholds its number.
    case withheld
    /// The server vouches for the number.
    case vouched(AssertedNumber)
    /// The far end says that it is another party, and the server does not confirm it. What is shown stays; rights end.
    case doubted
}
