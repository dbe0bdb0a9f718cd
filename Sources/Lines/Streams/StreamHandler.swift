import Base
import Cryptography
import LineCore
import NIOCore
import Platform
import SIPCore
import SecureTransport

/// Cuts a connection's bytes into messages, answers keep-alives, and closes a connection that is silent, slow or not
/// SIP. A WebSocket delivers whole messages already.
///
/// Time limits stop attacks that hold a connection open with a few bytes. They apply to each handshake, to the first
/// message of a peer, and to every message from its first byte to its last. Nothing is read while bytes wait to be
/// written. A connection with more keep-alives than any peer needs is closed.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Output {
        /// TLS is established; with the far end's certificate.
        case secured(Certificate?)
        /// The WebSocket is open.
        case upgraded
        case message([UInt8])
        /// A message of this many bytes was too long and was skipped.
        case skipped(Int)
        /// The far end answered our keep-alive.
        case pong
        /// The bytes received are not SIP.
        case broken([UInt8])
        case closed(StreamFault?)
    }

    struct TimeLimits {
        /// The time for the TLS handshake, and again for the WebSocket handshake.
        var handshake: TimeAmount = .seconds(5)
        /// The time from the connection until a peer's first message has arrived.
        var introduction: TimeAmount = .seconds(10)
        /// The time from a message's first byte to its last.
        var message: TimeAmount = .seconds(10)
        var webSocket = WebSocketHandler.TimeLimits()
    }

    private enum Phase { case handshake, upgrade, introduction, message }

    private let isPeer: Bool
    private let isSecure: Bool
    private let isWebSocket: Bool
    private let times: TimeLimits
    private let tell: (Output) -> Void
    private var framer = SIPStreamFramer()
    /// RFC 5626 §4.4.1 sets at least 95 s between keep-alives, but some telephones send one every few seconds.
    private var pings = RateLimit(burst: 32, interval: .seconds(1))
    /// Whether an answer to a keep-alive waits to be written. At most one waits.
    private var isAnswering = false
    private var limit: (phase: Phase, task: Scheduled<Void>)?
    private var fault: StreamFault?

    init(isPeer: Bool, _ transport: Flow.Transport, times: TimeLimits, _ tell: @escaping (Output) -> Void) {
        (self.isPeer, self.times, self.tell) = (isPeer, times, tell)
        (isSecure, isWebSocket) = (transport.isSecure, transport.isWebSocket)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if isSecure {
            start(.handshake, for: times.handshake, context)
        } else {
            secured(context)
        }
    }

    /// Starts the next time limit, after the TLS handshake or on a connection without TLS.
    private func secured(_ context: ChannelHandlerContext) {
        if isWebSocket {
            start(.upgrade, for: times.handshake, context)
        } else if isPeer {
            start(.introduction, for: times.introduction, context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        let outputs = isWebSocket ? SIPStreamFramer.outputs(ofWhole: bytes) : framer.receive(bytes.span)
        mind(outputs, context)
        for output in outputs {
            switch output {
            case .message(let bytes): tell(.message(bytes))
            case .pong:
                // On a stream every second CRLF is a ping, and pings are counted below.
                guard !isWebSocket || pings.admit(at: MonotonicClock.now()) else { return tell(.broken([])) }
                tell(.pong)
            case .ping:
                guard pings.admit(at: MonotonicClock.now()) else { return tell(.broken([])) }
                answerPing(context)
            case .broken(_, let bytes): tell(.broken(bytes))
            }
        }
    }

    /// Answers a keep-alive (RFC 5626 §3.5.1). One answer serves all keep-alives that arrive before it has left.
    private func answerPing(_ context: ChannelHandlerContext) {
        guard !isAnswering else { return }
        isAnswering = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let pong = wrapOutboundOut(context.channel.allocator.buffer(string: "\r\n"))
        context.writeAndFlush(pong).whenComplete { _ in
            let (handler, context) = bound.value
            handler.isAnswering = false
            handler.readOrWait(context)
        }
        readOrWait(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { readOrWait(context) }

    /// Stops reading while the far end does not read. So its messages wait at the far end, and not in the phone's
    /// memory.
    private func readOrWait(_ context: ChannelHandlerContext) {
        let mayRead = context.channel.isWritable && !isAnswering
        // A channel without this option is already closed.
        try? context.channel.syncOptions?.setOption(.autoRead, value: mayRead)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is IdleStateHandler.IdleStateEvent: context.close(promise: nil)
        case is WebSocketHandler.Pong: tell(.pong)
        case let skipped as WebSocketHandler.Skipped: tell(.skipped(skipped.bytes))
        case is WebSocketHandler.Opened:
            stop()
            tell(.upgraded)
        case let secured as SecureChannelHandler.Secured:
            stop()
            self.secured(context)
            tell(.secured(secured.certificate))
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if fault == nil, limit?.phase == .upgrade { fault = .webSocket(.cut) }
        stop()
        tell(.closed(fault))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if fault == nil {
            if let error = error as? WebSocketFault {
                fault = .webSocket(error)
            } else if limit?.phase == .handshake {
                fault = StreamFault(handshake: error)
            }
        }
        context.close(promise: nil)
    }

    // MARK: Time limits

    /// Starts and stops the time limits. Only a message ends the limit for a peer's first message; CRLF does not.
    private func mind(_ outputs: [SIPStreamFramer.Output], _ context: ChannelHandlerContext) {
        let hasMessage = outputs.contains { if case .message = $0 { true } else { false } }
        if hasMessage, limit?.phase != .handshake, limit?.phase != .upgrade { stop() }
        if limit == nil, framer.isInside { start(.message, for: times.message, context) }
    }

    private func start(_ phase: Phase, for time: TimeAmount, _ context: ChannelHandlerContext) {
        stop()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(in: time) {
            let (handler, context) = bound.value
            if phase == .handshake { handler.fault = .slowHandshake }
            if phase == .upgrade { handler.fault = .webSocket(.slow) }
            context.close(mode: .all, promise: nil)
        }
        limit = (phase, task)
    }

    private func stop() {
        limit?.task.cancel()
        limit = nil
    }
}
