import Cryptography
import Lines
import NIOCore
import NIOPosix
import SIPCore
import SecureTransport
import Synchronization

/// A stream server, with TLS or without, that handles messages as the test decides, and records them.
final class StreamServer: Sendable {
    /// The response, each piece in a separate write.
    typealias Answer = @Sendable (SIPRequest) -> [[UInt8]]

    let port: UInt16
    private let channel: any Channel
    private let clients: Clients
    let messages: AsyncStream<SIPMessage>

    init(on loop: any EventLoop, host: String = "127.0.0.1", tls: TLSContext? = nil, answer: @escaping Answer)
        async throws
    {
        let (messages, heard) = AsyncStream.makeStream(of: SIPMessage.self)
        self.messages = messages
        let clients = Clients()
        self.clients = clients
        channel = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    clients.all.withLock { $0.append(channel) }
                    clients.sources.withLock { $0.append(channel.remoteAddress?.port ?? 0) }
                    if let tls { try channel.pipeline.syncOperations.addHandler(SecureChannelHandler(tls)) }
                    try channel.pipeline.syncOperations.addHandler(
                        Clerk(answer: answer, clients: clients, heard: heard))
                }
            }
            .bind(host: host, port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
    }

    /// Accepts every registration.
    static let registrar: Answer = { request in [accept(request).bytes] }

    static func accept(_ request: SIPRequest) -> SIPResponse {
        var response = request.response(.ok, tag: "server")
        response.headers[.contact] = request.headers[.contact]
        return response
    }

    /// How many connections were made.
    var connections: Int { clients.all.withLock { $0.count } }

    /// The ports from which they were made.
    var sources: [Int] { clients.sources.withLock { $0 } }

    /// How many messages came.
    var heard: Int { clients.heard.withLock { $0 } }

    /// Waits for the message that gives a value; earlier ones are skipped.
    func first<Value: Sendable>(_ match: (SIPMessage) -> Value?) async throws -> Value {
        for await message in messages {
            if let value = match(message) { return value }
        }
        throw CancellationError()
    }

    /// Sends data over the last connection.
    func say(_ bytes: [UInt8]) async throws {
        guard let channel = clients.all.withLock({ $0.last }) else { throw CancellationError() }
        try await channel.writeAndFlush(channel.allocator.buffer(bytes: bytes)).get()
    }

    func hangUp() async throws {
        for channel in clients.all.withLock({ $0 }) where channel.isActive { try await channel.close().get() }
    }

    func close() async throws {
        try await channel.close().get()
        try? await hangUp()
    }

    private final class Clients: Sendable {
        let all = Mutex<[any Channel]>([])
        let sources = Mutex<[Int]>([])
        let heard = Mutex(0)
    }

    private final class Clerk: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: Answer
        private let clients: Clients
        private let heard: AsyncStream<SIPMessage>.Continuation
        private var framer = SIPStreamFramer()

        init(answer: @escaping Answer, clients: Clients, heard: AsyncStream<SIPMessage>.Continuation) {
            (self.answer, self.clients, self.heard) = (answer, clients, heard)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Array(unwrapInboundIn(data).readableBytesView)
            for case .message(let bytes) in framer.receive(bytes.span) {
                guard let message = try? SIPMessage(bytes.span) else { continue }
                clients.heard.withLock { $0 += 1 }
                heard.yield(message)
                guard case .request(let request) = message else { continue }
                for piece in answer(request) {
                    context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: piece)), promise: nil)
                }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
