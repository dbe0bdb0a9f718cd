import NIOCore

/// Requests a WebSocket from a server, and adds the WebSocket's handlers to the pipeline when the server agrees.
///
/// It comes after TLS, and is added when the far end has proved its identity. It reports the end of the handshake by
/// `WebSocketHandler.Opened`, and a refusal by a `WebSocketFault`. The code that adds it limits the time.
package final class WebSocketUpgrade: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private let offer: WebSocketOffer
    private let times: WebSocketHandler.TimeLimits
    private var handshake: WebSocketHandshake
    private var isOver = false

    /// - Parameter authority: The server's host, with its port if it is not the usual one, as in a URI.
    package init(_ offer: WebSocketOffer, authority: String, times: WebSocketHandler.TimeLimits = .init()) {
        (self.offer, self.times) = (offer, times)
        handshake = WebSocketHandshake(
            offer, authority: authority, nonce: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        context.writeAndFlush(
            wrapOutboundOut(context.channel.allocator.buffer(bytes: handshake.request)), promise: nil)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        do {
            let answer = Array(unwrapInboundIn(data).readableBytesView)
            guard let rest = try handshake.receive(answer) else { return }
            isOver = true
            try open(context, rest)
        } catch {
            isOver = true
            context.fireErrorCaught(error)
        }
    }

    private func open(_ context: ChannelHandlerContext, _ rest: [UInt8]) throws {
        let pipeline = context.pipeline.syncOperations
        try pipeline.addHandlers(WebSocketHandler.pipeline(offer, times), position: .after(self))
        context.fireUserInboundEventTriggered(WebSocketHandler.Opened())
        if !rest.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: rest))) }
        pipeline.removeHandler(context: context, promise: nil)
    }
}
