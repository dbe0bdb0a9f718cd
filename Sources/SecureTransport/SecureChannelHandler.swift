import Cryptography
import NIOCore

/// TLS in a connection's pipeline: records on the side of the network, plain bytes on the other side.
///
/// It reports the end of the handshake by an event, and a failure of the connection by an error.
package final class SecureChannelHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// The handshake is done, and the far end's certificate, if any, is trusted.
    package struct Secured: Sendable {
        package let certificate: Certificate?
    }

    /// A write came before the handshake was done, or after the connection had ended.
    package struct NotEstablished: Error {}

    private var channel: SecureChannel
    /// The promises of writes that are encrypted and have not been flushed.
    private var promises: [EventLoopPromise<Void>] = []
    /// Events to report. A failed write makes NIO read once more at once, and the resulting events wait here.
    private var events: [SecureChannel.Event] = []

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
        if channel.isHandshaking { context.fireErrorCaught(OpenSSLError("the connection was cut")) }
        channel.close()
        fail()
        context.fireChannelInactive()
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let message = unwrapOutboundIn(data)
        guard unsafe message.withUnsafeReadableBytes({ unsafe channel.send($0) }) else {
            promise?.fail(NotEstablished())
            context.fireErrorCaught(NotEstablished())
            return
        }
        if let promise { promises.append(promise) }
    }

    /// The promise of an empty message, too, succeeds when everything before it has been sent.
    package func flush(context: ChannelHandlerContext) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        for promise in promises { sent.futureResult.cascade(to: promise) }
        promises = []
        send(context, sent)
    }

    /// Sends close_notify, and does not wait for that of the far end (RFC 8446 §6.1).
    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        channel.close()
        send(context, nil)
        fail()
        context.close(mode: mode, promise: promise)
    }

    /// Sends the pending records before it reports any event here, so that the alert that explains a failure leaves
    /// first.
    private func carry(_ new: [SecureChannel.Event], _ context: ChannelHandlerContext) {
        events += new
        send(context, nil)
        while !events.isEmpty {
            switch events.removeFirst() {
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
