import PhoneCore
import Platform

/// A call's handshakes with one far end (RFC 5764), as its threads share them: the network thread queues datagrams, the
/// connector answers them.
///
/// It lives as long as the call's terms name these certificates, over all associations with them. A far end may repeat
/// its last flight, or begin another handshake.
final class Handshake: Sendable {
    /// The handshakes of one call. RTCP on its own port has its own handshake there (RFC 5764 §4.1).
    struct Pair: Sendable {
        let voice: Handshake
        var control: Handshake?
    }

    /// SHA-256 of the certificates that the far end may use.
    let fingerprints: [[UInt8]]
    /// DTLS datagrams with their senders.
    let datagrams = PacketRing<PeerAddress>(isResident: false)
    private let wake: WakeSignal

    /// - Parameter wake: wakes the connector.
    init(_ fingerprints: [[UInt8]], wake: WakeSignal) {
        self.fingerprints = fingerprints
        self.wake = wake
    }

    /// Network thread only. False when the connector's queue is full, or the datagram too long.
    func push(_ datagram: Span<UInt8>, from sender: PeerAddress) -> Bool {
        guard datagrams.push(sender, payload: datagram) else { return false }
        wake.raise()
        return true
    }
}
