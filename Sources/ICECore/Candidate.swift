import Base

/// An address at which an agent may be reached (RFC 8445 §5.1).
///
/// All candidates are of the first component and of UDP: RTP and RTCP share one (rtcp-mux), and a telephone has only
/// one kind of media (BUNDLE).
public struct Candidate: Hashable, Sendable {
    public static let component: UInt32 = 1

    /// 1 to 32 letters, digits, `+` and `/`. Candidates with the same foundation are likely to work or fail together.
    public let foundation: String
    public let priority: UInt32
    public let address: TransportAddress
    public let kind: CandidateKind
    /// The origin of the candidate: its base, or for a relayed one our address as the server sees it. Nil for a host.
    public let related: TransportAddress?

    public init(
        foundation: String, priority: UInt32, address: TransportAddress, kind: CandidateKind,
        related: TransportAddress? = nil
    ) {
        (self.foundation, self.priority, self.address) = (foundation, priority, address)
        (self.kind, self.related) = (kind, related)
    }
}

extension Candidate {
    /// The value of SDP's `candidate` attribute (RFC 8839 §5.1).
    public var text: String {
        let place = "\(address.address.text) \(address.port)"
        let start = "\(foundation) \(Self.component) UDP \(priority) \(place) typ \(kind.rawValue)"
        return related.map { "\(start) raddr \($0.address.text) rport \($0.port)" } ?? start
    }
}

/// The origin of an address (RFC 8445 §5.1.1); the raw value is that of SDP (RFC 8839 §5.1).
public enum CandidateKind: String, Hashable, Sendable, CaseIterable {
    case host
    case serverReflexive = "srflx"
    case peerReflexive = "prflx"
    case relayed = "relay"

    /// RFC 8445 §5.1.2.2.
    var preference: UInt32 {
        switch self {
        case .host: 126
        case .peerReflexive: 110
        case .serverReflexive: 100
        case .relayed: 0
        }
    }

    /// RFC 8445 §5.1.2.1, for our only component: RTP and RTCP share it (RFC 5761).
    func priority(localPreference: UInt16) -> UInt32 {
        preference << 24 | UInt32(localPreference) << 8 | (256 - Candidate.component)
    }
}

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

/// The preferences of our addresses in checks (RFC 8445 §5.1.2.1, RFC 8421).
enum LocalPreference {
    /// IPv6 and IPv4 take turns, in the order of preference within each. So a family that does not work delays the
    /// other by one check, not by all its checks (RFC 8421 §4).
    /// - Returns: A preference for each family in the order given. All differ, with room between them for servers.
    static func interleaved(_ families: [IPFamily]) -> [UInt16] {
        let ranks = families.indices.map { index in
            let before = families[..<index].count { $0 == families[index] }
            return 2 * before + (families[index] == families.first ? 0 : 1)
        }
        return ranks.map { UInt16(clamping: Int(UInt16.max) - 256 * $0) }
    }
}
