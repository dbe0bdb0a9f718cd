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
