import Base
import NIOCore
import NIOHTTP1
import PhoneCore
import Platform
import SecureTransport

/// One HTTP/1.1 connection, with one request at a time. Confined to the control thread.
///
/// Closes when the client is silent, sends a request too slowly, or does not read. While bytes wait to be written,
/// nothing is read.
final class HTTPConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    enum State {
        /// No request is in progress.
        case idle
        case receiving(HTTPRequest, HTTPRoute, body: ByteBuffer)
        case answering(HTTPRequest)
        /// The whole answer except its end is written.
        case finishing
        /// A stream of events, until the client closes it.
        case streaming
        /// The last answer is being sent. Nothing more is read.
        case leaving
    }

    private enum Limit { case idle, request, closing }

    /// The time in which a client must read the last answer.
    private static let closing = TimeAmount.seconds(2)

    let door: HTTPDoor
    var state = State.idle
    /// The token of the present request.
    var bearer: AccessToken?
    var requestsInFlight = 0
    /// Nil before the connection is admitted, and after its end.
    private(set) var channel: (any Channel)?
    private(set) var lastActive: Instant
    /// Whether a part of a stream waits to be flushed.
    var isFlushing = false
    private var limit: (what: Limit, task: Scheduled<Void>)?
    private var keepAlive: RepeatedTask?

    init(_ door: HTTPDoor) { (self.door, lastActive) = (door, MonotonicClock.now()) }

    /// Whether a client with a token is waiting here.
    var isServed: Bool { bearer != nil }

    /// The first byte of a request starts its time limit.
    func bytesCame() {
        lastActive = MonotonicClock.now()
        if limit?.what == .idle { start(.request) }
    }

    func close() {
        guard let channel = end() else { return }
        channel.close(promise: nil)
    }

    /// - Returns: The channel, if there still was one.
    private func end() -> (any Channel)? {
        guard let ended = channel else { return nil }
        (channel, bearer) = (nil, nil)
        stop()
        keepAlive?.cancel()
        door.leave(self)
        return ended
    }
}

// The events of the channel.
extension HTTPConnection {
    func channelActive(context: ChannelHandlerContext) {
        channel = context.channel
        guard door.admit(self) else {
            channel = nil
            return context.close(promise: nil)
        }
        start(door.isSecure ? .request : .idle)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), state) {
        case (.head(let head), .idle): begin(head)
        case (.body(let bytes), .receiving(let request, let route, var body)):
            guard body.readableBytes + bytes.readableBytes <= door.settings.maximumBody else { return refuseBody() }
            body.writeImmutableBuffer(bytes)
            state = .receiving(request, route, body: body)
        case (.end, .receiving(let request, let route, let body)):
            stop()
            serve(request, route, body)
        // Bytes after a rejection, and a body that nobody needs.
        case (.head, _), (.body, _), (.end, _): break
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .leaving = state { return }
        // A channel without this option is already closed.
        try? context.channel.syncOptions?.setOption(.autoRead, value: context.channel.isWritable)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is SecureChannelHandler.Secured { start(.idle) }
    }

    func channelInactive(context: ChannelHandlerContext) { _ = end() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return close() }
        switch state {
        case .idle, .receiving:
            let isLong = error == .headerOverflow
            refuse(
                isLong
                    ? HTTPRefusal(.requestHeaderFieldsTooLarge, "the headers are too long")
                    : HTTPRefusal(.badRequest, "the bytes are no HTTP request"))
        case .answering, .finishing, .streaming, .leaving: close()
        }
    }
}

// Time limits.
extension HTTPConnection {
    private func start(_ what: Limit) {
        stop()
        guard let loop = channel?.eventLoop else { return }
        let time =
            switch what {
            case .idle: door.settings.idleTime
            case .request: door.settings.requestTime
            case .closing: Self.closing
            }
        let connection = NIOLoopBound(self, eventLoop: loop)
        limit = (what, loop.scheduleTask(in: time) { connection.value.timeIsOver() })
    }

    private func stop() {
        limit?.task.cancel()
        limit = nil
    }

    private func timeIsOver() {
        if limit?.what != .closing { door.exchange.statistics.http.timedOut += 1 }
        close()
    }

    /// The headers have arrived; the body has the rest of the time.
    func requestBegan() { if limit?.what != .request { start(.request) } }

    /// The client has as long to read the answer as it may be silent.
    func answerBegan() { start(.idle) }

    func requestEnded() {
        lastActive = MonotonicClock.now()
        start(.idle)
    }

    func closingBegan() { start(.closing) }

    /// Sends a sign of life at intervals, for the client and for any proxy.
    func beginKeepAlive(_ tick: @escaping (HTTPConnection) -> Void) {
        guard let loop = channel?.eventLoop else { return }
        let connection = NIOLoopBound((self, tick), eventLoop: loop)
        let interval = door.settings.keepAlive
        keepAlive = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            let (connection, tick) = connection.value
            tick(connection)
        }
    }
}
