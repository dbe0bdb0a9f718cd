import PhoneCore
import Platform

/// What a call's threads share of its handshake (RFC 5764): the network thread queues datagrams, and the handshaker
/// answers them.
///
/// It lives as long as terms of the call name its association, before and after the keys are there: a far end may repeat
/// its last flight.
final class Handshake: Sendable {
    let association: NegotiatedMedia.DTLSAssociation
    /// Datagrams of DTLS with their senders.
    let datagrams = PacketRing<PeerAddress>(isResident: false)
    private let wake: WakeSignal

    /// - Parameter wake: wakes the handshaker.
    init(_ association: NegotiatedMedia.DTLSAssociation, wake: WakeSignal) {
        self.association = association
        self.wake = wake
    }

    /// Network thread only. False when the handshaker is far behind, or the datagram too long.
    func push(_ datagram: Span<UInt8>, from sender: PeerAddress) -> Bool {
        guard datagrams.push(sender, payload: datagram) else { return false }
        wake.raise()
        return true
    }
}
