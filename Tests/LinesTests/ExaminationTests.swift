import LineCore
import Lines
import NIOCore
import NIOPosix
import SIPCore
import Testing

@Suite("Examination of a server after a failed registration", .timeLimit(.minutes(5)))
struct ExaminationTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// A server at 127.0.0.3, and its port.
    private func listen() async throws -> (any Channel, UInt16) {
        let channel = try await ServerBootstrap(group: loop).bind(host: "127.0.0.3", port: 0).get()
        return (channel, UInt16(channel.localAddress?.port ?? 0))
    }

    @Test(
        "the first address that connects is examined, else the most informative one",
        arguments: [
            (["127.0.0.3"], "127.0.0.3", ConnectionFinding.open),
            (["127.0.0.2", "127.0.0.3", "127.0.0.4"], "127.0.0.3", .open),
            (["224.0.0.1", "127.0.0.3"], "127.0.0.3", .open),
            (["127.0.0.2", "127.0.0.4"], "127.0.0.2", .refused),
            (["224.0.0.1", "127.0.0.2"], "127.0.0.2", .refused),
        ])
    func firstAddressThatConnectsIsExaminedElseMostInformativeOne(
        _ addresses: [String], _ expected: String, _ finding: ConnectionFinding
    ) async throws {
        let (server, port) = try await listen()
        let found = ServerExamination(loop: loop, nameServers: []).connect(toAnyOf: addresses, port: port)
        #expect(found?.address == expected && found?.finding == finding)
        try await server.close().get()
    }

    @Test("a server that rejects the TLS version is still known to speak TLS")
    func serverThatRejectsTLSVersionIsStillKnownToSpeakTLS() async throws {
        let server = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AlertSender())
                }
            }
            .bind(host: "127.0.0.3", port: 0).get()
        let port = UInt16(server.localAddress?.port ?? 0)
        let finding = try ServerExamination(loop: loop, nameServers: [])
            .secure(at: "127.0.0.3", port: port, for: ["127.0.0.3"], TLSSettings())
        #expect(finding == .oldVersion)
        let phone = try await Phone(
            "alice", on: loop,
            account: .init(
                domain: "127.0.0.3", server: NextHop(host: "127.0.0.3", port: port, transport: .tls)))
        try await phone.start()
        let why = try await phone.failure()
        #expect(why.contains("older than 1.2") && why.contains("method=tlsv1_2"), "\(why)")
        try await phone.close()
        try await server.close().get()
    }

    @Test("without an address nothing is tried")
    func withoutAddressNothingIsTried() {
        #expect(ServerExamination(loop: loop, nameServers: []).connect(toAnyOf: [], port: 9) == nil)
    }
}

/// Answers any data with the alert of a TLS 1.0-only server: protocol_version (RFC 8446 §6.2).
private final class AlertSender: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [21, 3, 1, 0, 2, 2, 70])), promise: nil)
    }
}
