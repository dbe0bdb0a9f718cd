import Base
import Cryptography
import NIOCore
import NIOEmbedded
import Rig
import SecureTransport
import Testing

@Suite("TLS in a pipeline")
struct SecureChannelHandlerTests {
    /// Records the order of reports.
    private final class Notes: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var all: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            all.append(String(decoding: unwrapInboundIn(data).readableBytesView, as: UTF8.self))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is SecureChannelHandler.Secured { all.append("secured") }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { all.append("error: \(error)") }
    }

    /// A server whose answer is there before a write has returned: after a failed write, NIO reads the rest at once.
    private final class Server: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        private var channel: SecureChannel

        init(_ context: TLSContext) { channel = SecureChannel(context) }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let events = unsafe unwrapOutboundIn(data).withUnsafeReadableBytes { unsafe channel.receive($0) }
            if events.contains(.established(nil)) {
                _ = unsafe Array("obey".utf8).withUnsafeBytes { unsafe channel.send($0) }
            }
            promise?.succeed()
            let answer = channel.takeRecords()
            if !answer.isEmpty { context.fireChannelRead(NIOAny(ByteBuffer(bytes: answer))) }
        }
    }

    private static func serverContext(_ certificates: Certificates) throws -> TLSContext {
        let files = TLSIdentityFiles(
            certificateFile: certificates.certificate("server"), keyFile: certificates.key("server"))
        return try TLSContext(.server, trust: .anybody, files: files)
    }

    @Test("data after the handshake is reported after it, even if it arrives before the last write")
    func dataAfterHandshakeIsReportedAfterIt() throws {
        let certificates = try Certificates()
        try certificates.make("server", "DNS:server.example")
        let notes = Notes()
        let client = EmbeddedChannel()
        let trust = TLSContext.Trust.authorities(file: certificates.authority)
        try client.pipeline.syncOperations.addHandlers([
            Server(try Self.serverContext(certificates)), SecureChannelHandler(try TLSContext(.client, trust: trust)),
            notes,
        ])
        try client.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        #expect(notes.all == ["secured", "obey"])
    }

    @Test("an end during the handshake is an error; a later one is not")
    func endDuringHandshakeIsErrorLaterOneIsNot() throws {
        let certificates = try Certificates()
        let notes = Notes()
        let client = EmbeddedChannel()
        let trust = TLSContext.Trust.authorities(file: certificates.authority)
        try client.pipeline.syncOperations.addHandlers([
            SecureChannelHandler(try TLSContext(.client, trust: trust)), notes,
        ])
        try client.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        client.pipeline.fireChannelInactive()
        #expect(notes.all == ["error: the connection was cut"])
    }
}
