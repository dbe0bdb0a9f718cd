import Base
import Cryptography
import Foundation
import LineCore
import Lines
import NIOCore
import NIOPosix
import Rig
import SIPCore
import SecureTransport
import Testing

/// Peers that connect over TLS to an account that does not register.
@Suite("Callers over TLS", .timeLimit(.minutes(5)))
struct TLSCallerTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let certificates: Certificates

    init() throws {
        certificates = try Certificates()
        try certificates.make("phone", "DNS:phone.example")
        // As many authorities issue them.
        try certificates.make("server", "URI:sip:server.example", usage: "serverAuth")
        try certificates.make("other", "DNS:other.example")
        try certificates.make("own", "DNS:server.example", isSelfSigned: true)
    }

    /// An account whose server is at another port of this machine, from which nothing comes.
    private func phone(registers: Bool = false, pin: String? = nil) async throws -> Phone {
        let identity = TLSSettings.Identity(
            certificateFile: certificates.certificate("phone"), keyFile: certificates.key("phone"))
        let fingerprint = try pin.flatMap { Fingerprint(try certificates.fingerprint($0)) }
        let server = NextHop(host: "127.0.0.1", port: 9, transport: .tls)
        let phone = try await Phone(
            "alice", on: loop, accepts: .ownServerOnly,
            account: .init(domain: "server.example", server: server, registers: registers)
        ) {
            $0.tls = .init(
                authorities: certificates.authority, identity: identity, fingerprint: fingerprint, port: 0)
        }
        try await phone.start()
        return phone
    }

    /// The responses to a peer with this certificate and an OPTIONS request, until the connection ends.
    private func heard(_ name: String?, by phone: Phone) async throws -> String {
        let identity = try name.map { name in
            TLSContext.Identity(
                certificateFile: certificates.certificate(name),
                key: SecretBytes(Array(try Data(contentsOf: URL(fileURLWithPath: certificates.key(name))))),
                keyFile: certificates.key(name))
        }
        let context = try TLSContext(.client, trust: .authorities(file: certificates.authority), identity: identity)
        let (words, told) = AsyncStream.makeStream(of: String.self)
        let channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(SecureChannelHandler(context))
                    try pipeline.addHandler(Asker(told))
                }
            }
            .connect(host: "127.0.0.1", port: try await phone.securePort()).get()
        var all = ""
        for await word in words {
            all += word
            if all.hasSuffix("\r\n\r\n") { break }
        }
        try? await channel.close().get()
        return all
    }

    @Test("the account's server is accepted if its certificate names it", arguments: [nil, "server", "own"])
    func accountServerIsAcceptedIfItsCertificateNamesIt(pin: String?) async throws {
        let phone = try await phone(pin: pin)
        #expect(try await heard(pin ?? "server", by: phone).hasPrefix("SIP/2.0 200 "))
        #expect(try await phone.counters().untrusted == 0)
        try await phone.close()
    }

    /// The shown certificate, and the pinned one.
    private static let others: [(String?, String?)] = [
        (nil, nil), ("other", nil), ("own", nil), (nil, "own"), ("server", "own"),
    ]

    @Test("other peers are rejected with a reason, even from the server's host", arguments: Self.others)
    func otherPeersAreRejectedWithReasonEvenFromServerHost(shown: String?, pin: String?) async throws {
        let phone = try await phone(pin: pin)
        #expect(try await heard(shown, by: phone).isEmpty)
        #expect(try await phone.counters().untrusted == 1)
        let told = try #require(phone.reports.texts.first)
        #expect(told.hasPrefix("a connection from 127.0.0.1 port ") && told.contains(" was refused: it"))
        if shown == "other" { #expect(told.hasSuffix("its certificate is not for the account's server")) }
        try await phone.close()
    }

    @Test("a registering account opens no port for them")
    func registeringAccountOpensNoPortForThem() async throws {
        let phone = try await phone(registers: true)
        #expect(try await phone.securePort() == 0)
        try await phone.close()
    }

    /// Sends OPTIONS once the connection is secured, and reports the received data.
    private final class Asker: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let told: AsyncStream<String>.Continuation

        init(_ told: AsyncStream<String>.Continuation) { self.told = told }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event is SecureChannelHandler.Secured else { return }
            let request =
                "OPTIONS sip:alice@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TLS 127.0.0.1;branch=z9hG4bK-ask\r\n"
                + "Max-Forwards: 70\r\nFrom: <sip:server.example>;tag=ask\r\nTo: <sip:alice@server.example>\r\n"
                + "Call-ID: ask\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            told.yield(String(buffer: unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) { told.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
