/// Decides from which address a call's packets may come.
///
/// Only the agreed host may send, and at first only from the agreed port. Where packets are authenticated, the first
/// good packet from another port of that host moves the port, and we send there too (RFC 4961). This serves a NAT that
/// rewrites ports, and a peer that sends from another port than it receives on. After the first good packet the port
/// stays. Where voice is not encrypted the port never moves, because any host could have sent the packet.
package struct SymmetricRTPLatch: Equatable, Sendable {
    private let agreed: PeerAddress
    private let mayMove: Bool
    /// The port from which good packets came; nil before the first.
    package private(set) var port: UInt16?

    package init(agreed: PeerAddress, isAuthenticated: Bool) {
        self.agreed = agreed
        mayMove = isAuthenticated
    }

    /// Whether a packet from this address is processed.
    package func admits(_ sender: PeerAddress) -> Bool {
        guard sender.isSameHost(as: agreed) else { return false }
        if let port { return sender.port == port }
        return mayMove || sender.port == agreed.port
    }

    /// Takes note that a packet from this address was good.
    package mutating func confirm(_ sender: PeerAddress) {
        if port == nil { port = sender.port }
    }
}
