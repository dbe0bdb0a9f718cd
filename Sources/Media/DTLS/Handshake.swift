import PhoneCore
import Platform

/// What a call's threads share of its handshakes with one far end (RFC 5764): the network thread queues datagrams, and the
/// connector answers them.
///
/// It lives as long as the call's terms name these certificates, over all associations with them. A far end may repeat its
/// last flight, or begin another handshake.
final class Handshake: Sendable {
    /// Those of a call. Reports on a port of their own have another one, there (RFC 5764 §4.1).
    struct Pair: Sendable {
        let voice: Handshake
        var control: Handshake?
    }

    /// SHA-256 of the certificates that the far end may show.
    let fingerprints: [[UInt8]]
    /// Datagrams of DTLS with their senders.
    let datagrams = PacketRing<PeerAddress>(isResident: false)
    private let wake: WakeSignal

    /// - Parameter wake: wakes the connector.
    init(_ fingerprints: [[UInt8]], wake: WakeSignal) {
        self.fingerprints = fingerprints
        self.wake = wake
    }

    /// Network thread only. False when the connector is far behind, or the datagram too long.
    func push(_ datagram: Span<UInt8>, from sender: PeerAddress) -> Bool {
        guard datagrams.push(sender, payload: datagram) else { return false }
        wake.raise()
        return true
    }
}
