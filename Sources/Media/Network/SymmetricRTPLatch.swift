import Base

/// Decides from which address a call's packets may come, and at which port the far end is reached.
///
/// Only the agreed host may send, and at first only from the agreed port. Where packets are authenticated, the first
/// good packet from another port of that host moves the port, and we send there too (RFC 4961). This serves a NAT that
/// rewrites ports, and a peer that sends from another port than it receives on. The agreed port always wins: its first
/// good packet shows that nothing on the way rewrites it. After that the port stays. Where voice is not encrypted the
/// port never moves, because any host could have sent the packet.
///
/// When a call moves to another port of the same host, late packets still come from the port that was just left. They
/// are heard, but do not move the port back.
///
/// With ICE the two ends may use different paths for a moment, so an authenticated packet may come from anywhere, and the
/// path alone says where we send. One that is not authenticated comes from the path's other end.
package struct SymmetricRTPLatch: Sendable {
    private let agreed: PeerAddress
    private let mayMove: Bool
    private let hasPath: Bool
    /// The port that the far end has left, and until when late packets come from there.
    private var left: (port: UInt16, until: Instant)?
    /// The port from which good packets came; nil before the first.
    package private(set) var port: UInt16?

    /// How late a packet may be.
    package static let timeout = Duration.seconds(1)

    /// - Parameter hasPath: Whether ICE finds the path.
    package init(agreed: PeerAddress, isAuthenticated: Bool, hasPath: Bool = false) {
        self.agreed = agreed
        self.hasPath = hasPath
        mayMove = isAuthenticated
    }

    /// The latch after the far end's address or protection was agreed anew.
    package func moved(
        to next: PeerAddress, isAuthenticated: Bool, hasPath: Bool = false, at now: Instant
    ) -> SymmetricRTPLatch {
        var moved = SymmetricRTPLatch(agreed: next, isAuthenticated: isAuthenticated, hasPath: hasPath)
        let last = port ?? agreed.port
        if next.isSameHost(as: agreed), last != next.port { moved.left = (last, now + Self.timeout) }
        return moved
    }

    /// Whether a packet from this address is processed.
    package func admits(_ sender: PeerAddress) -> Bool {
        if hasPath { return mayMove || sender == agreed }
        guard sender.isSameHost(as: agreed) else { return false }
        if sender.port == agreed.port { return true }
        return port.map { sender.port == $0 } ?? mayMove
    }

    /// Takes note that a packet from this address was good.
    package mutating func confirm(_ sender: PeerAddress, at now: Instant) {
        if hasPath { return }
        if sender.port == agreed.port {
            port = agreed.port
        } else if port == nil, !isLate(sender, at: now) {
            port = sender.port
        }
    }

    private func isLate(_ sender: PeerAddress, at now: Instant) -> Bool {
        left.map { $0.port == sender.port && now < $0.until } ?? false
    }
}
