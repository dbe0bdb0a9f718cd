import Base
import Cryptography
import LineCore
import NIOCore
import Platform
import SIPCore

/// Cuts what a connection brings into messages, answers keep-alives, and closes what is silent, slow or no SIP.
///
/// Slowness has three measures, each for an attack that keeps a connection with a few bytes: the handshake, the first
/// message of a peer, and every message from its first byte to its last. And nothing is read while something waits to be
/// written, or more often asked whether we live than anybody needs to know.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Output {
        /// TLS is up; the certificate that the far end showed.
        case secured(Certificate?)
        case message([UInt8])
        /// The far end answered our keep-alive.
        case pong
        /// What should have been a message.
        case broken([UInt8])
        case closed(StreamFault?)
    }

    struct Patience {
        var handshake: TimeAmount = .seconds(5)
        /// From the connection to a peer's first message.
        var introduction: TimeAmount = .seconds(10)
        /// From a message's first byte to its last.
        var message: TimeAmount = .seconds(10)
    }

    private enum Watch { case handshake, introduction, message }

    private let isPeer: Bool
    private let isSecure: Bool
    private let patience: Patience
    private let tell: (Output) -> Void
    private var framer = SIPStreamFramer()
    /// RFC 5626 §4.4.1 asks every 95 s at most; telephones that ask every few seconds are known.
    private var pings = RateLimit(burst: 32, interval: .seconds(1))
    /// Whether an answer to a keep-alive waits to be written. There is never a second one.
    private var isAnswering = false
    private var watch: (what: Watch, task: Scheduled<Void>)?
    private var fault: StreamFault?

    init(isPeer: Bool, isSecure: Bool, patience: Patience, _ tell: @escaping (Output) -> Void) {
        (self.isPeer, self.isSecure, self.patience, self.tell) = (isPeer, isSecure, patience, tell)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if isSecure {
            start(.handshake, for: patience.handshake, context)
        } else if isPeer {
            start(.introduction, for: patience.introduction, context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        let outputs = framer.receive(bytes.span)
        mind(outputs, context)
        for output in outputs {
            switch output {
            case .message(let bytes): tell(.message(bytes))
            case .pong: tell(.pong)
            case .ping:
                guard pings.admit(at: MonotonicClock.now()) else { return tell(.broken([])) }
                answerPing(context)
            case .broken(_, let bytes): tell(.broken(bytes))
            }
        }
    }

    /// RFC 5626 §3.5.1. Whoever asks again before the answer has left has it in this one.
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

    /// Whoever does not read is not read either: what he says waits with him, not here.
    private func readOrWait(_ context: ChannelHandlerContext) {
        let mayRead = context.channel.isWritable && !isAnswering
        // A channel that has no such option any more is closed.
        try? context.channel.syncOptions?.setOption(.autoRead, value: mayRead)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        guard let secured = event as? SecureChannelHandler.Secured else { return }
        stop()
        if isPeer { start(.introduction, for: patience.introduction, context) }
        tell(.secured(secured.certificate))
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        tell(.closed(fault))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if fault == nil, watch?.what == .handshake { fault = StreamFault(handshake: error) }
        context.close(promise: nil)
    }

    // MARK: Slowness

    /// A peer introduces itself with a message; line breaks alone are nobody.
    private func mind(_ outputs: [SIPStreamFramer.Output], _ context: ChannelHandlerContext) {
        let hasMessage = outputs.contains { if case .message = $0 { true } else { false } }
        if hasMessage, watch?.what != .handshake { stop() }
        if watch == nil, framer.isInside { start(.message, for: patience.message, context) }
    }

    private func start(_ what: Watch, for time: TimeAmount, _ context: ChannelHandlerContext) {
        stop()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(in: time) {
            let (handler, context) = bound.value
            if what == .handshake { handler.fault = .slowHandshake }
            context.close(mode: .all, promise: nil)
        }
        watch = (what, task)
    }

    private func stop() {
        watch?.task.cancel()
        watch = nil
    }
}

/// Why a connection did not come about, or is not secure.
enum StreamFault: Equatable, Sendable {
    case slowHandshake
    /// This machine has no way to the far end, or lets nothing out; the text is the system's.
    case local(String)
    /// The far end takes no connection.
    case unconnected(String)
    /// The certificate is another's.
    case otherName
    /// The text is the TLS library's.
    case handshake(String)

    init(handshake error: any Error) {
        self = .handshake("\(error)".firstLine)
    }

    /// - Parameter error: Of a connection that did not come about.
    init(connecting error: any Error) {
        switch error {
        case let error as IOError:
            let failure = SystemSocket.Failure(code: error.errnoCode)
            self = failure.isLocal ? .local(failure.text) : .unconnected(failure.text)
        case ChannelError.connectTimeout: self = .unconnected("no answer")
        default: self = .unconnected("\(error)".firstLine)
        }
    }

    /// Whether it says something about who is at the far end.
    var isDistrust: Bool {
        switch self {
        case .local, .unconnected: false
        case .slowHandshake, .otherName, .handshake: true
        }
    }

    /// For people.
    var text: String {
        switch self {
        case .local(let text): "this machine does not reach the server: \(text)"
        case .unconnected(let text): "the server takes no connection: \(text)"
        case .slowHandshake: "the server does not finish its TLS handshake"
        case .otherName: "the server's certificate is for another name"
        case .handshake(let text): "the server is not trusted, or refuses TLS: \(text)"
        }
    }
}

extension String {
    fileprivate var firstLine: String { String(prefix { !$0.isNewline }.prefix(200)) }
}
