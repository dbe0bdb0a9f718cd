import Glibc
import ICECore
import NIOCore
import NIOPosix
import SIPCore
import Turns

/// A line's UDP socket at one address. Confined to its loop.
///
/// A channel reads it, but sending bypasses the channel. So a refusal by the system concerns only one datagram and
/// never closes the socket, and no datagram waits while the socket is full.
package final class Datagrams {
    package typealias Receive = (_ bytes: [UInt8], _ from: Flow.Endpoint) -> Void
    /// Sends a datagram on a socket, at once or not at all.
    package typealias Send = (_ bytes: [UInt8], _ socket: CInt, _ to: SocketAddress) throws(SystemSocket.Failure) ->
        Void

    /// The size of the largest datagram. A shorter buffer would cut a message, and lose it.
    private static let largest = 65_535
    /// The system has no buffer space at present. The datagram counts as lost on its way, and SIP retransmits it.
    private static let shortages: Set<CInt> = [EAGAIN, ENOBUFS, ENOMEM]

    package let socket: KeptSocket
    private let transmit: Send

    /// - Parameters:
    /// - descriptor: Bound. This object owns it from now on.
    /// - budget: Limits all datagrams of one turn.
    ///   - send: Sends a datagram; tests replace it.
    /// - changed: Called when reading stops or starts again.
    package init(
        _ descriptor: CInt, loop: any EventLoop, budget: TurnBudget, send: @escaping Send = SystemSocket.send,
        changed: @escaping (_ isRead: Bool) -> Void, receive: @escaping Receive
    ) {
        transmit = send
        let handler = NIOLoopBound((receive, budget), eventLoop: loop)
        let open = { (descriptor: CInt) in
            DatagramBootstrap(group: loop)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.largest))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let (receive, budget) = handler.value
                        try channel.pipeline.syncOperations.addHandlers([
                            TurnGate(budget, .datagrams), DatagramHandler(receive),
                        ])
                    }
                }
                .withBoundSocket(descriptor)
        }
        socket = KeptSocket(descriptor, loop: loop, open: open, changed: changed)
    }

    package func start() { socket.start() }

    package func close() { socket.close() }

    /// - Throws: The error by which the system refused this datagram.
    package func send(_ bytes: [UInt8], to remote: Flow.Endpoint) throws(SystemSocket.Failure) {
        let address: SocketAddress
        do {
            address = try SocketAddress(ipAddress: remote.host, port: Int(remote.port))
        } catch {
            throw SystemSocket.Failure(code: EADDRNOTAVAIL)
        }
        do throws(SystemSocket.Failure) {
            try transmit(bytes, socket.descriptor, address)
        } catch {
            guard Self.shortages.contains(error.code) else { throw error }
        }
    }
}

private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let receive: Datagrams.Receive

    init(_ receive: @escaping Datagrams.Receive) { self.receive = receive }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let remote = Flow.Endpoint(envelope.remoteAddress) else { return }
        receive(Array(envelope.data.readableBytesView), remote)
    }

    /// Ignores errors of single datagrams, which are no reason to close the channel.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension Flow.Endpoint {
    init?(_ address: SocketAddress?) {
        guard let address, let host = address.ipAddress, let port = address.port.flatMap(UInt16.init(exactly:)) else {
            return nil
        }
        self.init(host, port)
    }

    /// Whether this can be the address of one host: a unicast address, and a port that is not 0. The phone never sends
    /// to any other endpoint, even if a message names it.
    package var isSomebody: Bool {
        guard port != 0, let address = IPAddress(zoned: host) else { return false }
        let bytes = address.plain.bytes
        guard bytes.count == 4 else { return bytes[0] != 0xFF && !bytes.allSatisfy { $0 == 0 } }
        // Excluded are this network (RFC 1122 §3.2.1.3), multicast groups (RFC 5771), and the reserved range, which
        // ends with the broadcast address.
        return bytes[0] != 0 && bytes[0] < 224
    }
}

extension IPAddress {
    /// An IPv4-mapped IPv6 address as IPv4; any other address as it is.
    fileprivate var plain: IPAddress {
        let isMapped = isVersion6 && bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        return isMapped ? IPAddress(bytes: Array(bytes.suffix(4))) ?? self : self
    }
}
