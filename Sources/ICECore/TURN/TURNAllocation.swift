/// An allocation that a TURN server has granted (RFC 8656 §7.3).
public struct TURNAllocation: Equatable, Sendable {
    /// The address at which peers reach us.
    public let relayed: TransportAddress
    /// Our address as the server sees it. Over UDP it is a server-reflexive candidate.
    public let mapped: TransportAddress?
    /// How long it lasts without a refresh.
    public let lifetime: Duration

    package init(relayed: TransportAddress, mapped: TransportAddress?, lifetime: Duration) {
        (self.relayed, self.mapped, self.lifetime) = (relayed, mapped, lifetime)
    }
}
