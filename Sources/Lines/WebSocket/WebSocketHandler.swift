import Base
import NIOCore
import NIOWebSocket
import Platform

/// A client's end of an open WebSocket (RFC 6455). It has frames on the network's side and whole messages on the other
/// side, each in its own buffer.
///
/// It masks its frames, and answers pings. After some silence it sends a ping, to detect a dead connection. An end that
/// closes sends a Close frame, and waits a moment for the other end's. Any mistake of the server ends the connection,
/// after a `WebSocketFault`.
package final class WebSocketHandler: ChannelDuplexHandler {
    package typealias InboundIn = WebSocketFrame
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = WebSocketFrame

    /// The WebSocket is open. Reported by an event, before any message.
    package struct Opened: Sendable {
        package init() {}
    }
    /// The server answered a ping. Reported by an event.
    package struct Pong: Sendable {}
    /// A message of this many bytes was longer than the limit, and was skipped. Reported by an event.
    package struct Skipped: Equatable, Sendable { package let bytes: Int }
    /// Requests an extra ping. To be triggered as an outbound event.
    package struct Ping: Sendable {
        package init() {}
    }

    package struct TimeLimits: Sendable {
        /// Milliseconds of silence before a ping is sent, drawn at random each time.
        package var pause = 25_000...30_000
        /// How long the answer to a ping may take.
        package var answer = TimeAmount.seconds(10)
        /// The time from the first frame of a message to its last.
        package var message = TimeAmount.seconds(10)
        /// How long we wait for the server's Close frame after our own.
        package var farewell = TimeAmount.seconds(1)

        package init() {}
    }

    private enum Phase {
        case open
        /// Our Close frame is sent. The promises belong to the callers of `close`.
        case closing([EventLoopPromise<Void>])
        case closed
    }

    private let times: TimeLimits
    private var reader: WebSocketReader
    private var phase = Phase.open
    private var fault: WebSocketFault?
    /// Limits pings and pongs. RFC 6455 sets no limit, and some servers send one every second.
    private var pings = RateLimit(burst: 32, interval: .seconds(1))
    /// Whether an answer to a ping waits to be written. At most one waits.
    private var isAnswering = false
    private var lastHeard = NIODeadline.distantPast
    private var keepAlive: Scheduled<Void>?
    private var message: Scheduled<Void>?
    private var farewell: Scheduled<Void>?

    private init(_ offer: WebSocketOffer, _ times: TimeLimits) {
        self.times = times
        reader = WebSocketReader(limit: offer.messageLimit)
    }

    /// The handlers of an open WebSocket, starting at the network. They wait for `Opened` from there.
    package static func pipeline(
        _ offer: WebSocketOffer, _ times: TimeLimits = TimeLimits()
    ) -> [any ChannelHandler] {
        [
            WebSocketFrameWatch(time: times.message), WebSocketFrameSkipper(limit: offer.messageLimit),
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: offer.messageLimit)), WebSocketFrameEncoder(),
            WebSocketHandler(offer, times),
        ]
    }

    package func handlerRemoved(context: ChannelHandlerContext) { finish() }

    package func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let oversized = event as? WebSocketFrameSkipper.Oversized {
            lastHeard = context.eventLoop.now
            return reader.skip(oversized.bytes)
        }
        if event is Opened { listen(context) }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Receiving

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastHeard = context.eventLoop.now
        guard fault == nil else { return }
        do throws(WebSocketFault) {
            guard let output = try reader.receive(unwrapInboundIn(data)) else { return watchMessage(context) }
            try take(output, context)
        } catch {
            fail(error, context)
        }
    }

    private func take(_ output: WebSocketReader.Output, _ context: ChannelHandlerContext) throws(WebSocketFault) {
        switch output {
        case .message(let bytes):
            message?.cancel()
            message = nil
            if case .open = phase { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: bytes))) }
        case .skipped(let length):
            message?.cancel()
            message = nil
            context.fireUserInboundEventTriggered(Skipped(bytes: length))
        case .ping(let bytes):
            try admitPing()
            answer(bytes, context)
        case .pong:
            try admitPing()
            context.fireUserInboundEventTriggered(Pong())
        case .close(let code, let reason):
            guard case .closing = phase else { throw .closed(code, reason) }
            leave(context)
        }
    }

    private func admitPing() throws(WebSocketFault) {
        guard pings.admit(at: MonotonicClock.now()) else { throw .tooManyPings }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: fail(.tooLong(limit: reader.limit), context)
        case NIOWebSocketError.fragmentedControlFrame: fail(.fragmentedControlFrame, context)
        case NIOWebSocketError.multiByteControlFrameLength: fail(.longControlFrame, context)
        case let fault as WebSocketFault: fail(fault, context)
        default: context.fireErrorCaught(error)
        }
    }

    /// Reports a fault once, and ends the connection.
    private func fail(_ fault: WebSocketFault, _ context: ChannelHandlerContext) {
        guard self.fault == nil else { return }
        self.fault = fault
        context.fireErrorCaught(fault)
        context.channel.close(promise: nil)
    }

    /// Answers a ping. One answer serves all pings that arrive before it has left (RFC 6455 §5.5.3).
    private func answer(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard case .open = phase, !isAnswering else { return }
        isAnswering = true
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in bound.value.isAnswering = false }
        write(.pong, ByteBuffer(bytes: bytes), context, written)
        context.flush()
    }

    // MARK: Sending

    /// Sends a message. An empty one is not sent.
    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let message = unwrapOutboundIn(data)
        guard case .open = phase else { promise?.fail(ChannelError.ioOnClosedChannel); return }
        guard message.readableBytes > 0 else { promise?.succeed(); return }
        // A text must be UTF-8 (RFC 6455 §5.6), but a SIP message need not be (RFC 7118 §4.2).
        let isText = String(validating: message.readableBytesView, as: UTF8.self) != nil
        write(isText ? .text : .binary, message, context, promise)
    }

    package func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is Ping else { return context.triggerUserOutboundEvent(event, promise: promise) }
        ping(context)
        promise?.succeed()
    }

    private func write(
        _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>? = nil
    ) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    private func ping(_ context: ChannelHandlerContext) {
        guard case .open = phase else { return }
        write(.ping, ByteBuffer(), context)
        context.flush()
    }

    // MARK: Time

    /// Waits until nothing was heard for a while, and then sends a ping.
    private func listen(_ context: ChannelHandlerContext) {
        guard case .open = phase else { return }
        lastHeard = context.eventLoop.now
        rest(context)
    }

    private func rest(_ context: ChannelHandlerContext) {
        let due = lastHeard + .milliseconds(Int64(Int.random(in: times.pause)))
        keepAlive = schedule(at: due, context) { handler, context, heard in
            guard heard == handler.lastHeard else { return handler.rest(context) }
            handler.ping(context)
            handler.keepAlive = handler.schedule(
                at: context.eventLoop.now + handler.times.answer, context
            ) { handler, context, heard in
                // Any frame shows that the server is there.
                if heard == handler.lastHeard { handler.fail(.silent, context) } else { handler.rest(context) }
            }
        }
    }

    /// - Parameter action: Gets the time of the last frame as it was when this was scheduled.
    private func schedule(
        at due: NIODeadline, _ context: ChannelHandlerContext,
        _ action: @escaping (WebSocketHandler, ChannelHandlerContext, NIODeadline) -> Void
    ) -> Scheduled<Void> {
        let bound = NIOLoopBound((self, context, lastHeard, action), eventLoop: context.eventLoop)
        return context.eventLoop.scheduleTask(deadline: due) {
            let (handler, context, heard, action) = bound.value
            action(handler, context, heard)
        }
    }

    private func watchMessage(_ context: ChannelHandlerContext) {
        guard message == nil else { return }
        message = schedule(at: context.eventLoop.now + times.message, context) { handler, context, _ in
            handler.fail(.slowMessage, context)
        }
    }

    // MARK: Closing (RFC 6455 §7)

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        let promises = promise.map { [$0] } ?? []
        switch phase {
        case .closed: context.close(mode: mode, promise: promise)
        case .closing(let others): phase = .closing(others + promises)
        case .open:
            phase = .closing(promises)
            farewell = schedule(at: context.eventLoop.now + times.farewell, context) { handler, context, _ in
                handler.leave(context)
            }
            var word = context.channel.allocator.buffer(capacity: 2)
            word.write(webSocketErrorCode: fault?.code ?? .goingAway)
            let written = context.eventLoop.makePromise(of: Void.self)
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            // After a fault the server's further frames do not matter, so we do not wait for its Close frame.
            let isFinal = fault != nil
            written.futureResult.whenComplete { _ in
                let (handler, context) = bound.value
                if isFinal { handler.leave(context) }
            }
            write(.connectionClose, word, context, written)
            context.flush()
        }
    }

    /// Closes the connection itself.
    private func leave(_ context: ChannelHandlerContext) {
        guard case .closing(let promises) = phase else { return }
        phase = .closed
        farewell?.cancel()
        let closed = context.eventLoop.makePromise(of: Void.self)
        for promise in promises { closed.futureResult.cascade(to: promise) }
        context.close(promise: closed)
    }

    private func finish() {
        for task in [keepAlive, message, farewell] { task?.cancel() }
        if case .closing(let promises) = phase { promises.forEach { $0.succeed() } }
        phase = .closed
    }
}
