/// A socket of the owner's, by the number that the owner has for it.
public struct SocketID: Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The base of a candidate, from which checks and media leave (RFC 8445 §4).
public enum ICEBase: Hashable, Sendable {
    case socket(SocketID)
    /// An allocation on a TURN server, by its place among those of the agent.
    case relay(Int)
}

/// A candidate of ours, and what it leaves from.
struct LocalCandidate: Equatable, Sendable {
    let candidate: Candidate
    let base: ICEBase
    /// RFC 8445 §5.1.2.1.
    let localPreference: UInt16

    /// Whether it is its own base. Pairs are made of these only: RFC 8445 §6.1.2.4 puts the base into the place of every
    /// other candidate, and then drops the pair, because the base's own has a higher priority.
    var isBase: Bool { candidate.kind == .host || candidate.kind == .relayed }
}
