import Base
import Cryptography
import LineCore
import NIOCore
import Platform
import SIPCore
import SecureTransport

/// Cuts a connection's bytes into messages, answers keep-alives, and closes a connection that is silent, slow or not
/// SIP.
///
/// Three time limits stop attacks that hold a connection open with a few bytes: for the handshake, for the first
/// message of a peer, and for every message from its first byte to its last. Nothing is read while bytes wait to be
/// written. A connection with more keep-alives than any peer needs is closed.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Output {
        /// TLS is established; with the certificate that the far end showed.
        case secured(Certificate?)
        case message([UInt8])
        /// The far end answered our keep-alive.
        case pong
        /// The bytes received are not SIP.
        case broken([UInt8])
        case closed(StreamFault?)
    }

    struct TimeLimits {
        var handshake: TimeAmount = .seconds(5)
        /// The time from the connection until a peer's first message has arrived.
        var introduction: TimeAmount = .seconds(10)
        /// The time from a message's first byte to its last.
        var message: TimeAmount = .seconds(10)
    }

    private enum Watch { case handshake, introduction, message }

    private let isPeer: Bool
    private let isSecure: Bool
    private let times: TimeLimits
    private let tell: (Output) -> Void
    private var framer = SIPStreamFramer()
    /// RFC 5626 §4.4.1 sets at least 95 s between keep-alives, but some telephones send one every few seconds.
    private var pings = RateLimit(burst: 32, interval: .seconds(1))
    /// Whether an answer to a keep-alive waits to be written. There is never more than one.
    private var isAnswering = false
    private var watch: (what: Watch, task: Scheduled<Void>)?
    private var fault: StreamFault?

    init(isPeer: Bool, isSecure: Bool, times: TimeLimits, _ tell: @escaping (Output) -> Void) {
        (self.isPeer, self.isSecure, self.times, self.tell) = (isPeer, isSecure, times, tell)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if isSecure {
            start(.handshake, for: times.handshake, context)
        } else if isPeer {
            start(.introduction, for: times.introduction, context)
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

    /// Stops reading while the far end does not read, so that its messages wait at the far end and not in the phone's
    /// memory.
    private func readOrWait(_ context: ChannelHandlerContext) {
        let mayRead = context.channel.isWritable && !isAnswering
        // A channel that does not have this option any more is closed.
        try? context.channel.syncOptions?.setOption(.autoRead, value: mayRead)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        guard let secured = event as? SecureChannelHandler.Secured else { return }
        stop()
        if isPeer { start(.introduction, for: times.introduction, context) }
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

    // MARK: Time limits

    /// Starts and stops the time limits. Only a message ends the limit for a peer's first message; line breaks do not.
    private func mind(_ outputs: [SIPStreamFramer.Output], _ context: ChannelHandlerContext) {
        let hasMessage = outputs.contains { if case .message = $0 { true } else { false } }
        if hasMessage, watch?.what != .handshake { stop() }
        if watch == nil, framer.isInside { start(.message, for: times.message, context) }
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

/// Why a connection could not be opened, or is not secure.
enum StreamFault: Equatable, Sendable {
    case slowHandshake
    /// This machine has no route to the far end, or blocks the connection; with the system's text.
    case local(String)
    /// The far end refuses the connection, or does not answer.
    case unconnected(String)
    /// The certificate is for another name.
    case otherName
    /// The text is the TLS library's.
    case handshake(String)

    init(handshake error: any Error) {
        self = .handshake("\(error)".firstLine)
    }

    /// - Parameter error: The error of a connection that could not be opened.
    init(connecting error: any Error) {
        switch error {
        case let error as IOError:
            let failure = SystemSocket.Failure(code: error.errnoCode)
            self = failure.isLocal ? .local(failure.text) : .unconnected(failure.text)
        case ChannelError.connectTimeout: self = .unconnected("no answer")
        case ChannelError.ioOnClosedChannel: self = .unconnected("it closes it at once")
        default: self = .unconnected("\(error)".firstLine)
        }
    }

    /// Whether the fault puts the identity of the far end in doubt.
    var isDistrust: Bool {
        switch self {
        case .local, .unconnected: false
        case .slowHandshake, .otherName, .handshake: true
        }
    }

    /// For people, about a connection that this line opened.
    var text: String {
        switch self {
        case .local(let text): "this machine does not reach the server: \(text)"
        case .unconnected(let text): "the server takes no connection: \(text)"
        case .slowHandshake: "the server does not finish its TLS handshake"
        case .otherName: "the server's certificate is for another name"
        case .handshake(let text): "the server is not trusted, or refuses TLS: \(text)"
        }
    }

    /// For people, about a connection that somebody opened to this line.
    var callerText: String {
        switch self {
        case .local(let text), .unconnected(let text): text
        case .slowHandshake: "it does not finish its TLS handshake"
        case .otherName: "its certificate is not for the account's server"
        case .handshake(let text): "it is not trusted, or refuses TLS: \(text)"
        }
    }
}

extension String {
    fileprivate var firstLine: String { String(prefix { !$0.isNewline }.prefix(200)) }
}
