/// From which address a call's packets may come.
///
/// The rule: only the host that was agreed. Its port is the agreed one; where packets are authenticated, the first
/// good packet from another port of that host moves it (a NAT that rewrites ports, a peer that sends from where it
/// does not receive), and we send there too (RFC 4961). From the first good packet on the port stays. Voice in clear
/// never moves: anybody could have sent it.
package struct SymmetricRTPLatch: Equatable, Sendable {
    private let agreed: PeerAddress
    private let mayMove: Bool
    /// Where good packets came from; nil before the first.
    package private(set) var port: UInt16?

    package init(agreed: PeerAddress, isAuthenticated: Bool) {
        self.agreed = agreed
        mayMove = isAuthenticated
    }

    /// Whether a packet from there is looked at.
    package func admits(_ sender: PeerAddress) -> Bool {
        guard sender.isSameHost(as: agreed) else { return false }
        if let port { return sender.port == port }
        return mayMove || sender.port == agreed.port
    }

    /// A packet from there was good.
    package mutating func confirm(_ sender: PeerAddress) {
        if port == nil { port = sender.port }
    }
}
