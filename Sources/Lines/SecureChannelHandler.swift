import Cryptography
import NIOCore

/// TLS in a connection's pipeline: records on the side of the network, bytes on the other.
///
/// It tells of the end of the handshake by an event, and of whatever ends the connection by an error.
package final class SecureChannelHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// The handshake is done, and the certificate that the far end showed is believed.
    package struct Secured: Sendable {
        package let certificate: Certificate?
    }

    /// Something was to be sent before the handshake was done, or after the end.
    package struct NotEstablished: Error {}

    private var channel: SecureChannel
    /// Of what is encrypted and has not been flushed.
    private var promises: [EventLoopPromise<Void>] = []

    package init(_ context: TLSContext, serverName: String? = nil) {
        channel = SecureChannel(context, serverName: serverName)
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { carry(channel.start(), context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        carry(channel.start(), context)
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let records = unwrapInboundIn(data)
        carry(unsafe records.withUnsafeReadableBytes { unsafe channel.receive($0) }, context)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        channel.close()
        fail()
        context.fireChannelInactive()
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let message = unwrapOutboundIn(data)
        guard unsafe message.withUnsafeReadableBytes({ unsafe channel.send($0) }) else {
            promise?.fail(NotEstablished())
            return
        }
        if let promise { promises.append(promise) }
    }

    /// An empty message, too, is sent when all before it are.
    package func flush(context: ChannelHandlerContext) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        for promise in promises { sent.futureResult.cascade(to: promise) }
        promises = []
        send(context, sent)
    }

    /// Tells the far end, and waits for no answer (RFC 8446 §6.1).
    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        channel.close()
        send(context, nil)
        fail()
        context.close(mode: mode, promise: promise)
    }

    /// What must be said to the far end is said before anything is told here, the alert that explains a failure with it.
    private func carry(_ events: [SecureChannel.Event], _ context: ChannelHandlerContext) {
        send(context, nil)
        for event in events {
            switch event {
            case .established(let certificate):
                context.fireUserInboundEventTriggered(Secured(certificate: certificate))
            case .received(let bytes): context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: bytes)))
            case .closed: context.close(promise: nil)
            case .failed(let error): context.fireErrorCaught(error)
            }
        }
    }

    private func send(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        let records = channel.takeRecords()
        guard !records.isEmpty || promise != nil else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: records)), promise: promise)
    }

    private func fail() {
        for promise in promises { promise.fail(NotEstablished()) }
        promises = []
    }
}
