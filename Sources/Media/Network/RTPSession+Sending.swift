import Base
import Glibc

extension RTPSession {
    /// Protects and sends the packets that the audio thread made. Drops them while keys or a path are missing.
    mutating func send(
        _ call: CallMedia, _ out: inout MutableSpan<UInt8>, _ context: NetworkContext, at now: Instant
    ) {
        var peer = negotiated.voice
        if let port = latch.port { peer.port = port }
        var count = 0
        while call.txQueue.pop({ _, packet in
            count = packet.count
            for index in packet.indices { out[index] = packet[index] }
        }) {
            guard negotiated.mayExchange else { continue }
            send(count, of: &out, to: peer, call, context, at: now)
        }
    }

    private mutating func send(
        _ count: Int, of out: inout MutableSpan<UInt8>, to peer: PeerAddress, _ call: CallMedia,
        _ context: NetworkContext, at now: Instant
    ) {
        var length = count
        if let keys = negotiated.borrowedSendKeys {
            guard let protected = keys.use({ try? $0.session.protect(&out, count: count) }) else {
                return context.counters.sendFailures.count()
            }
            length = protected
        }
        let fault = transmit(out.span.extracting(0..<length), to: peer, call)
        if fault == nil { context.counters.packetsSent.count() } else { context.counters.sendFailures.count() }
        switch watch.packet(fault, at: now) {
        case .failing(let code)?: context.tell(.sendingFailed(call: call.handle, code: code))
        case .sending?: context.tell(.sendingResumed(call: call.handle))
        case nil: break
        }
    }

    /// Sends a packet from the voice's socket: on ICE's path, if there is one, or to the negotiated address.
    /// - Returns: The error number, if it was not sent.
    func transmit(_ packet: Span<UInt8>, to peer: PeerAddress, _ call: CallMedia) -> Int32? {
        guard let path = negotiated.path else { return call.sockets.send(packet, on: call.sockets.voice, to: peer) }
        guard path.isRelayed, let connectivity = call.borrowedConnectivity else {
            return call.sockets.send(packet, on: call.sockets.descriptor(at: path.local), to: peer, from: path.local)
        }
        return connectivity.use { $0.relay(packet) } ? nil : ENOBUFS
    }
}
