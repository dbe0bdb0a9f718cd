import Cryptography
import NIOCore
import SecureTransport

/// Reports the end of one handshake by a promise: the far end's certificate, or the error.
final class HandshakeWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let ended: EventLoopPromise<Certificate?>

    init(_ ended: EventLoopPromise<Certificate?>) { self.ended = ended }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let secured = event as? SecureChannelHandler.Secured { ended.succeed(secured.certificate) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { ended.fail(error) }

    func channelInactive(context: ChannelHandlerContext) { ended.fail(ChannelError.eof) }
}
