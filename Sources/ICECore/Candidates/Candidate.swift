/// An address at which an agent may be reached (RFC 8445 §5.1).
///
/// All candidates are of the first component and of UDP: RTP and RTCP share one (rtcp-mux), and all media share it
/// (BUNDLE), as a telephone has only one kind.
public struct Candidate: Hashable, Sendable {
    public static let component: UInt32 = 1

    /// 1 to 32 letters, digits, `+` and `/`. Candidates with the same one are likely to work or fail together.
    public let foundation: String
    public let priority: UInt32
    public let address: TransportAddress
    public let kind: CandidateKind
    /// Where the candidate comes from: the base, or for a relayed one what the server sees of us. Nil for a host.
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
