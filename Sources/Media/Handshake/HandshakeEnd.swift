import Base
import Cryptography
import PhoneCore
import Platform

/// Our end of one call's handshake. Only the handshaker's thread uses it.
final class HandshakeEnd {
    let handshake: Handshake
    private let sockets: MediaSockets
    /// Where the far end was heard last; until then the agreed address.
    private var peer: PeerAddress
    private var channel: DTLSChannel

    init(_ handshake: Handshake, _ context: DTLSContext, sockets: MediaSockets, peer: PeerAddress) {
        self.handshake = handshake
        self.sockets = sockets
        self.peer = peer
        let settings = DTLSChannel.Settings(fingerprints: handshake.association.fingerprints)
        channel = DTLSChannel(context, handshake.association.isActive ? .active : .passive, settings)
    }

    /// When what was not answered has to be repeated. Nil: nothing was.
    func due(at now: Instant) -> Instant? { channel.timeLeft.map { now + $0 } }

    func start() -> [DTLSChannel.Event] { sending { $0.start() } }

    /// The far end is at another address, by the signalling.
    func move(to peer: PeerAddress) { self.peer = peer }

    /// Answers what has come, and repeats what is due.
    func serve() -> [DTLSChannel.Event] {
        var events: [DTLSChannel.Event] = []
        while let event = next() { events += event }
        if let left = channel.timeLeft, left <= .zero { events += sending { $0.timedOut() } }
        return events
    }

    /// Tells the far end that this is the end.
    func close() {
        _ = sending { channel in
            channel.close()
            return []
        }
    }

    /// Nil: nothing more has come.
    private func next() -> [DTLSChannel.Event]? {
        var events: [DTLSChannel.Event] = []
        let hasCome = handshake.datagrams.pop { sender, datagram in
            peer = sender
            events = unsafe datagram.withUnsafeBytes { bytes in sending { unsafe $0.receive(bytes) } }
        }
        return hasCome ? events : nil
    }

    /// Sends what the channel has to say. What the kernel does not take is repeated as if it had been lost.
    private func sending(_ work: (inout DTLSChannel) -> [DTLSChannel.Event]) -> [DTLSChannel.Event] {
        let events = work(&channel)
        for datagram in channel.takeDatagrams() { _ = sockets.send(datagram.span, on: sockets.voice, to: peer) }
        return events
    }
}
