import NIOCore
import SIPCore

/// Cuts what a connection brings into messages, answers keep-alives, and closes what is silent or no SIP.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Output {
        case message([UInt8])
        case broken
        case closed
    }

    private var framer = SIPStreamFramer()
    private let tell: (Output) -> Void

    init(_ tell: @escaping (Output) -> Void) { self.tell = tell }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        for output in framer.receive(bytes.span) {
            switch output {
            case .message(let bytes): tell(.message(bytes))
            case .pong: break
            case .ping:
                // RFC 5626 §3.5.1.
                let pong = wrapOutboundOut(context.channel.allocator.buffer(string: "\r\n"))
                context.writeAndFlush(pong, promise: nil)
            case .broken: tell(.broken)
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { tell(.closed) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
