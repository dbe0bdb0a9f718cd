/// The answerer of an incoming call at this end.
enum Answerer: Equatable, Codable, Sendable {
    /// A person, with the handset or a key.
    case person
    /// Another program asked for it, or the call replaced one that the phone had not answered automatically.
    case program
    /// The phone answered automatically.
    case nobody
}
