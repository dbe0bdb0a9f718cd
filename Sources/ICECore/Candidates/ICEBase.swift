/// A socket of the owner, by the owner's number for it.
public struct SocketID: Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The base of a candidate, from which checks and media are sent (RFC 8445 §4).
public enum ICEBase: Hashable, Sendable {
    case socket(SocketID)
    /// An allocation on a TURN server, by its index among the agent's.
    case relay(Int)
}

/// A local candidate and its base.
struct LocalCandidate: Equatable, Sendable {
    let candidate: Candidate
    let base: ICEBase
    /// RFC 8445 §5.1.2.1.
    let localPreference: UInt16

    /// Whether it is its own base. Only these form pairs. RFC 8445 §6.1.2.4 would replace other candidates by their
    /// base, and then drop the pair: the base's own pair has a higher priority.
    var isBase: Bool { candidate.kind == .host || candidate.kind == .relayed }
}
