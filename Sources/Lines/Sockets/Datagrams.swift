import Base
import Glibc
import NIOCore
import NIOPosix
import Platform
import SIPCore
import Turns

/// A line's UDP socket at one address. Confined to its loop.
///
/// A channel reads it, but sending bypasses the channel. So a refusal by the system concerns only one datagram and
/// never closes the socket, and no datagram waits while the socket is full.
package final class Datagrams {
    package typealias Receive = (_ bytes: [UInt8], _ from: Flow.Endpoint) -> Void
    /// Sends a datagram on a socket, at once or not at all.
    package typealias Send = (_ bytes: [UInt8], _ socket: CInt, _ to: TransportAddress) throws(SystemSocket.Failure) ->
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
        do throws(SystemSocket.Failure) {
            try transmit(bytes, socket.descriptor, remote)
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
        guard let known = unsafe address?.withSockAddr({ address, _ in unsafe TransportAddress(address) }) ?? nil else {
            return nil
        }
        self = known
    }

    /// Whether this can be the address of one host: a unicast address, and a port that is not 0. The phone never sends
    /// to any other endpoint, even if a message names it.
    package var isSomebody: Bool { port != 0 && address.unmapped.isOneHost }
}
