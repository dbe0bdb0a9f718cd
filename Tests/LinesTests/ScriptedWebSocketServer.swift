import NIOCore
import NIOPosix

/// Answers each WebSocket request with the test's bytes for its key, or closes without any.
final class ScriptedWebSocketServer: Sendable {
    let port: UInt16
    private let channel: any Channel

    init(on loop: any EventLoop, answer: @escaping @Sendable (String) -> [UInt8]) async throws {
        channel = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Clerk(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
    }

    func close() async throws { try await channel.close().get() }

    private final class Clerk: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: (String) -> [UInt8]
        private var request = ""

        init(_ answer: @escaping (String) -> [UInt8]) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !request.hasSuffix("\r\n\r\n") else { return }
            request += String(buffer: unwrapInboundIn(data))
            guard request.hasSuffix("\r\n\r\n") else { return }
            let bytes = answer(WebSocketBytes.field("Sec-WebSocket-Key", in: request) ?? "")
            guard !bytes.isEmpty else { return context.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
