import PhoneCore
import Platform

/// One call's ICE, as its threads share it. The network thread queues STUN and TURN datagrams, and outgoing packets for
/// a relay. The connector answers the datagrams, sends the packets, and queues packets that the relay delivers.
///
/// It lives from the binding of the sockets to the end of the call.
final class Connectivity: Sendable {
    /// A datagram's sender, and the local address and port that received it.
    struct Arrival: BitwiseCopyable, Sendable {
        let sender: PeerAddress
        let local: PeerAddress
    }

    let call: CallID
    let settings: ICESettings
    let sockets: MediaSockets
    let arrivals = PacketRing<Arrival>(isResident: false)
    /// Packets for the far end, from the network thread.
    let outgoing = PacketRing<UInt8>(isResident: false)
    /// Packets from the far end, from the connector.
    let incoming = PacketRing<UInt8>(isResident: false)
    private let connectorWake: WakeSignal

    init(_ call: CallID, _ settings: ICESettings, _ sockets: MediaSockets, connectorWake: WakeSignal) {
        self.call = call
        self.settings = settings
        self.sockets = sockets
        self.connectorWake = connectorWake
    }

    /// Called by the thread that reads the sockets: the connector until the call has terms, then the network thread.
    /// False when the connector's queue is full, or the datagram too long.
    func push(_ datagram: Span<UInt8>, _ arrival: Arrival) -> Bool {
        guard arrivals.push(arrival, payload: datagram) else { return false }
        connectorWake.raise()
        return true
    }

    /// Network thread only: sends a packet through the server.
    func relay(_ packet: Span<UInt8>) -> Bool {
        guard outgoing.push(0, payload: packet) else { return false }
        connectorWake.raise()
        return true
    }
}
