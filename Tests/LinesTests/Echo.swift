import NIOCore
import NIOPosix

/// The far end of one stream or datagram socket, with the received data in order.
final class Echo: Sendable {
    private let loop: any EventLoop
    private let heard: AsyncStream<[UInt8]>
    private let hear: AsyncStream<[UInt8]>.Continuation

    init(on loop: any EventLoop) {
        self.loop = loop
        (heard, hear) = AsyncStream.makeStream(of: [UInt8].self)
    }

    func connect(port: Int) async throws -> any Channel {
        let hear = hear
        return try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StreamEar(hear))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    func bind(host: String = "127.0.0.1") async throws -> any Channel {
        let hear = hear
        return try await DatagramBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DatagramEar(hear))
                }
            }
            .bind(host: host, port: 0).get()
    }

    func next() async -> [UInt8]? {
        for await bytes in heard { return bytes }
        return nil
    }

    private final class StreamEar: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let hear: AsyncStream<[UInt8]>.Continuation
        init(_ hear: AsyncStream<[UInt8]>.Continuation) { self.hear = hear }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            hear.yield(Array(unwrapInboundIn(data).readableBytesView))
        }
    }

    private final class DatagramEar: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        private let hear: AsyncStream<[UInt8]>.Continuation
        init(_ hear: AsyncStream<[UInt8]>.Continuation) { self.hear = hear }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            hear.yield(Array(unwrapInboundIn(data).data.readableBytesView))
        }
    }
}
