import NIOCore
import NIOPosix
import SIPCore

/// A line's UDP socket at one address. Confined to its loop.
final class Datagrams {
    typealias Receive = (_ bytes: [UInt8], _ from: Flow.Endpoint) -> Void

    /// The largest datagram there is: a message that is cut would be lost.
    private static let largest = 65_535

    private let socket: CInt
    private let loop: any EventLoop
    private var channel: EventLoopFuture<any Channel>?

    /// - Parameter socket: Bound; from now on owned by this.
    init(_ socket: CInt, loop: any EventLoop) { (self.socket, self.loop) = (socket, loop) }

    func start(receive: @escaping Receive) {
        let receive = NIOLoopBound(receive, eventLoop: loop)
        channel = DatagramBootstrap(group: loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.largest))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DatagramHandler(receive.value))
                }
            }
            .withBoundSocket(socket)
    }

    /// - Parameter failed: Called, later, when the system refuses to send.
    func send(_ bytes: [UInt8], to remote: Flow.Endpoint, failed: @escaping () -> Void) {
        guard let channel else { return }
        let failed = NIOLoopBound(failed, eventLoop: loop)
        channel.flatMap { channel in
            do {
                let address = try SocketAddress(ipAddress: remote.host, port: Int(remote.port))
                let buffer = channel.allocator.buffer(bytes: bytes)
                return channel.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: buffer))
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }.whenFailure { _ in failed.value() }
    }

    func close() {
        guard let channel else {
            SystemSocket.release(socket)
            return
        }
        channel.whenSuccess { $0.close(promise: nil) }
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

    /// An error of one datagram (an ICMP answer to an earlier one) is no reason to close the socket.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension Flow.Endpoint {
    init?(_ address: SocketAddress?) {
        guard let address, let host = address.ipAddress, let port = address.port.flatMap(UInt16.init(exactly:)) else {
            return nil
        }
        self.init(host, port)
    }
}
