/// Who took an incoming call here.
enum Answerer: Equatable, Codable, Sendable {
    /// By the handset or a key.
    case person
    /// Another program asked for it, or it took the place of a call that a person is in.
    case program
    /// The phone answered by itself.
    case nobody
}
