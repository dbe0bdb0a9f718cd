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
