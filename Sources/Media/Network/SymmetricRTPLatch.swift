import Base

/// Decides from which addresses to accept a call's packets, and to which port to send.
///
/// Only the negotiated host may send, and at first only from the negotiated port. If packets are authenticated, the
/// first valid packet from another port of that host moves the port, and we send there too (RFC 4961). This serves a
/// NAT that rewrites ports, and a peer that does not send from its receiving port. The negotiated port always wins: its
/// first valid packet shows that nothing on the path rewrites it. After that the port stays. Without encryption the
/// port never moves, because any host could have sent the packet.
///
/// When a call moves to another port of the same host, late packets still come from the old port. They are accepted,
/// but do not move the port back.
///
/// With ICE the two ends may use different paths for a moment. So an authenticated packet may come from anywhere, and
/// only ICE's path decides where we send. A packet without authentication must come from the path's other end.
package struct SymmetricRTPLatch: Sendable {
    private let agreed: TransportAddress
    private let mayMove: Bool
    private let hasPath: Bool
    /// The port that the far end left, and until when late packets may come from it.
    private var left: (port: UInt16, until: Instant)?
    /// The port that sent valid packets; nil before the first.
    package private(set) var port: UInt16?

    /// How late a packet may be.
    package static let timeout = Duration.seconds(1)

    /// - Parameter hasPath: Whether ICE selects the path.
    package init(agreed: TransportAddress, isAuthenticated: Bool, hasPath: Bool = false) {
        self.agreed = agreed
        self.hasPath = hasPath
        mayMove = isAuthenticated
    }

    /// The latch after the far end's address or protection changed.
    package func moved(
        to next: TransportAddress, isAuthenticated: Bool, hasPath: Bool = false, at now: Instant
    ) -> SymmetricRTPLatch {
        var moved = SymmetricRTPLatch(agreed: next, isAuthenticated: isAuthenticated, hasPath: hasPath)
        let last = port ?? agreed.port
        if next.address == agreed.address, last != next.port { moved.left = (last, now + Self.timeout) }
        return moved
    }

    /// Whether to process a packet from this address.
    package func admits(_ sender: TransportAddress) -> Bool {
        if hasPath { return mayMove || sender == agreed }
        guard sender.address == agreed.address else { return false }
        if sender.port == agreed.port { return true }
        return port.map { sender.port == $0 } ?? mayMove
    }

    /// Notes that a packet from this address was valid.
    package mutating func confirm(_ sender: TransportAddress, at now: Instant) {
        if hasPath { return }
        if sender.port == agreed.port {
            port = agreed.port
        } else if port == nil, !isLate(sender, at: now) {
            port = sender.port
        }
    }

    private func isLate(_ sender: TransportAddress, at now: Instant) -> Bool {
        left.map { $0.port == sender.port && now < $0.until } ?? false
    }
}
