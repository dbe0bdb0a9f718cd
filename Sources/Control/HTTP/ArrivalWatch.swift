import NIOCore

/// Tells a connection when bytes arrive, even before they form complete headers.
final class ArrivalWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: HTTPConnection

    init(_ connection: HTTPConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.bytesCame()
        context.fireChannelRead(data)
    }
}
