import Cryptography
import Lines
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import SIPCore
import SecureTransport
import Synchronization

/// A server of SIP over WebSockets on loopback, by swift-nio's own upgrade, with the test's responses.
final class WebSocketServer: Sendable {
    typealias Answer = @Sendable (SIPRequest) -> SIPResponse?

    let port: UInt16
    private let channel: any Channel
    private let desk: Desk
    private let messages: AsyncStream<SIPMessage>

    init(on loop: any EventLoop, tls: TLSContext? = nil, answer: @escaping Answer) async throws {
        let (messages, heard) = AsyncStream.makeStream(of: SIPMessage.self)
        self.messages = messages
        let desk = Desk(answer: answer, heard: heard)
        self.desk = desk
        channel = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    desk.connections.withLock { $0 += 1 }
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(SecureChannelHandler(tls)) }
                    try pipeline.configureHTTPServerPipeline(
                        withServerUpgrade: (upgraders: [desk.upgrader], completionHandler: { _ in }))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
    }

    /// Accepts every registration.
    static let registrar: Answer = { StreamServer.accept($0) }

    /// The requests for a WebSocket.
    var upgrades: [HTTPRequestHead] { desk.upgrades.withLock { $0 } }
    /// The frames that came.
    var frames: [(opcode: WebSocketOpcode, isMasked: Bool)] { desk.frames.withLock { $0 } }
    /// How many of them carried text.
    var texts: Int { frames.count { $0.opcode == .text } }
    var connections: Int { desk.connections.withLock { $0 } }

    /// Waits for the message that gives a value; earlier ones are skipped.
    func first<Value: Sendable>(_ match: (SIPMessage) -> Value?) async throws -> Value {
        for await message in messages {
            if let value = match(message) { return value }
        }
        throw CancellationError()
    }

    /// Writes a frame to the last client.
    func say(_ opcode: WebSocketOpcode, _ bytes: [UInt8], fin: Bool = true) async throws {
        guard let channel = desk.open.withLock({ $0.last }) else { throw CancellationError() }
        try await channel.writeAndFlush(WebSocketFrame(fin: fin, opcode: opcode, data: ByteBuffer(bytes: bytes))).get()
    }

    /// Cuts every connection without a close frame.
    func hangUp() async throws {
        for channel in desk.open.withLock({ $0 }) where channel.isActive { try await channel.close().get() }
    }

    func close() async throws {
        try await channel.close().get()
        try? await hangUp()
    }

    private final class Desk: Sendable {
        let answer: Answer
        let heard: AsyncStream<SIPMessage>.Continuation
        let upgrades = Mutex<[HTTPRequestHead]>([])
        let frames = Mutex<[(opcode: WebSocketOpcode, isMasked: Bool)]>([])
        let open = Mutex<[any Channel]>([])
        let connections = Mutex(0)

        init(answer: @escaping Answer, heard: AsyncStream<SIPMessage>.Continuation) {
            (self.answer, self.heard) = (answer, heard)
        }

        var upgrader: NIOWebSocketServerUpgrader {
            NIOWebSocketServerUpgrader(
                maxFrameSize: 1 << 16,
                shouldUpgrade: { channel, head in
                    self.upgrades.withLock { $0.append(head) }
                    let chosen = head.headers["Sec-WebSocket-Protocol"].contains("sip") ? "sip" : ""
                    return channel.eventLoop.makeSucceededFuture(["Sec-WebSocket-Protocol": chosen])
                },
                upgradePipelineHandler: { channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        self.open.withLock { $0.append(channel) }
                        try channel.pipeline.syncOperations.addHandler(Clerk(self))
                    }
                })
        }
    }

    private final class Clerk: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        private let desk: Desk

        init(_ desk: Desk) { self.desk = desk }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            desk.frames.withLock { $0.append((frame.opcode, frame.maskKey != nil)) }
            let bytes = Array(frame.unmaskedData.readableBytesView)
            switch frame.opcode {
            case .text, .binary: take(bytes, context)
            case .ping: write(.pong, bytes, context)
            case .connectionClose:
                write(.connectionClose, bytes, context)
                context.close(promise: nil)
            default: break
            }
        }

        private func take(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
            guard let message = try? SIPMessage(bytes.span) else { return }
            desk.heard.yield(message)
            guard case .request(let request) = message, let response = desk.answer(request) else { return }
            write(.text, response.bytes, context)
        }

        private func write(_ opcode: WebSocketOpcode, _ bytes: [UInt8], _ context: ChannelHandlerContext) {
            let frame = WebSocketFrame(fin: true, opcode: opcode, data: ByteBuffer(bytes: bytes))
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
