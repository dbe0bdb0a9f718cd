import Lines
import NIOCore
import NIOEmbedded

/// A client's WebSocket in simulated time, whose server is the test.
final class WebSocketTalk {
    let channel: EmbeddedChannel
    let loop = EmbeddedEventLoop()
    private let listener = Listener()

    /// - Parameter messageLimit: Of the client, in bytes.
    init(messageLimit: Int = 1_000) throws {
        channel = EmbeddedChannel(loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(listener)
        try pipeline.addHandler(
            WebSocketUpgrade(.init(subprotocol: "sip", messageLimit: messageLimit), authority: "pbx.example"),
            position: .first)
    }

    /// An open WebSocket.
    /// - Parameter rest: The server's bytes after its response.
    static func open(messageLimit: Int = 1_000, rest: [UInt8] = []) throws -> WebSocketTalk {
        let talk = try WebSocketTalk(messageLimit: messageLimit)
        try talk.answer(rest: rest)
        return talk
    }

    /// Accepts the client's request.
    func answer(rest: [UInt8] = []) throws {
        let request = String(decoding: written(), as: UTF8.self)
        hear(WebSocketBytes.answer(WebSocketBytes.field("Sec-WebSocket-Key", in: request) ?? "") + rest)
    }

    /// The server writes these bytes.
    func hear(_ bytes: [UInt8]) {
        guard channel.isActive else { return }
        // A handler's unhandled error reaches the listener, too.
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
    }

    func say(_ message: String) { channel.writeAndFlush(ByteBuffer(string: message), promise: nil) }
    func say(_ message: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: message), promise: nil) }

    func pass(_ seconds: Int64) { loop.advanceTime(by: .seconds(seconds)) }

    /// The client's output since the last query.
    func written() -> [UInt8] {
        var bytes: [UInt8] = []
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return bytes
    }

    func frames() -> [WebSocketBytes.Frame] { WebSocketBytes.frames(written()) }

    var messages: [String] { listener.messages }
    var faults: [WebSocketFault] { listener.faults }
    var isOpened: Bool { listener.isOpened }
    var pongs: Int { listener.pongs }
    var skipped: [Int] { listener.skipped }
    /// Errors that are no fault of a WebSocket.
    var others: Int { listener.others }

    /// The handler after the WebSocket in a line: it closes the connection on errors.
    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        var messages: [String] = []
        var faults: [WebSocketFault] = []
        var (isOpened, pongs, others) = (false, 0, 0)
        var skipped: [Int] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            messages.append(String(buffer: unwrapInboundIn(data)))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is WebSocketHandler.Opened { isOpened = true }
            if event is WebSocketHandler.Pong { pongs += 1 }
            if let event = event as? WebSocketHandler.Skipped { skipped.append(event.bytes) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if let fault = error as? WebSocketFault { faults.append(fault) } else { others += 1 }
            context.close(promise: nil)
        }
    }
}
