import Base
import NIOCore
import NIOHTTP1
import PhoneCore
import Platform
import SecureTransport
import Turns

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
        case receiving(ServerRequest, HTTPRoute, body: ByteBuffer)
        case answering(ServerRequest)
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
    var bearer: ControlToken?
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

/// Sends answers, and drops clients that do not read.
extension HTTPConnection {
    func respond(_ answer: HTTPAnswer, to request: ServerRequest) {
        let hasBody = request.method != .HEAD
        guard request.keepsAlive else { return answerAndClose(answer, hasBody: hasBody) }
        guard let channel, write(answer, hasBody: hasBody) else { return }
        state = .finishing
        answerBegan()
        // The promise of an empty write succeeds when everything before it is written. The next request is read only
        // then, so that

        // answers do not pile up. It may be decoded already; then it waits for a turn with room.
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer()))).assumeIsolated().whenComplete {
            [self] _ in door.budget.run { [self] in finish() }
        }
    }

    private func finish() {
        guard let channel, case .finishing = state else { return }
        (state, bearer) = (.idle, nil)
        requestEnded()
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }

    /// Sends the last answer and closes this direction of the connection. The rest closes when the client closes its
    /// side, or soon. Closing at once could lose the answer of a client that is still sending (RFC 9112 §9.6).
    func answerAndClose(_ answer: HTTPAnswer, hasBody: Bool) {
        var answer = answer
        answer.headers.append(("Connection", "close"))
        guard let channel, write(answer, hasBody: hasBody) else { return }
        (state, bearer) = (.leaving, nil)
        closingBegan()
        // A channel without this option is already closed.
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).assumeIsolated().whenComplete { _ in
            channel.close(mode: .output, promise: nil)
        }
    }

    /// - Returns: False if the client does not read and was dropped.
    private func write(_ answer: HTTPAnswer, hasBody: Bool) -> Bool {
        guard let channel else { return false }
        let bytes = answer.body.readableBytes
        guard door.hasRoom(for: bytes, in: channel) else {
            drop()
            return false
        }
        var headers = answer.headers
        // These two have no body; their status alone implies that (RFC 9110 §8.6).
        if answer.status != .noContent, answer.status != .notModified { headers.append(("Content-Length", "\(bytes)")) }
        channel.write(HTTPServerResponsePart.head(head(answer.status, headers)), promise: nil)
        if hasBody, bytes > 0 { channel.write(HTTPServerResponsePart.body(.byteBuffer(answer.body)), promise: nil) }
        return true
    }

    func head(_ status: HTTPResponseStatus, _ headers: [(name: String, value: String)]) -> HTTPResponseHead {
        HTTPResponseHead(
            version: .http1_1, status: status, headers: HTTPHeaders((HTTPAnswer.common + headers).map { ($0, $1) }))
    }

    func write(_ head: HTTPResponseHead) {
        channel?.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
    }

    /// Sends a frame of a stream.
    func send(_ frame: ByteBuffer) {
        guard let channel else { return }
        guard door.hasRoom(for: frame.readableBytes, in: channel) else { return drop() }
        channel.write(HTTPServerResponsePart.body(.byteBuffer(frame)), promise: nil)
        // One event may go to hundreds of streams, and each flush costs a system call.
        guard !isFlushing else { return }
        isFlushing = true
        door.budget.run { [self] in
            isFlushing = false
            self.channel?.flush()
        }
    }

    private func drop() {
        door.exchange.slowReaderDropped()
        close()
    }
}
