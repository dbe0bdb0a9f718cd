import Base
import Cryptography
import Glibc
import LineCore
import Lines
import NIOCore
import NIOPosix
import Rig
import SIPCore
import SecureTransport
import Testing

@Suite("TLS", .timeLimit(.minutes(5)))
struct TLSTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let call = CallID(.phone, 1)
    private let certificates: Certificates

    init() throws {
        certificates = try Certificates()
        try certificates.make("server", "URI:sip:server.example, IP:127.0.0.1")
        try certificates.make("other", "DNS:other.example")
        try certificates.make("own", "DNS:server.example", isSelfSigned: true)
    }

    private func identity(_ name: String) -> TLSSettings.Identity {
        .init(certificateFile: certificates.certificate(name), keyFile: certificates.key(name))
    }

    private func server(_ name: String, asksForCertificate: Bool = false) async throws -> StreamServer {
        try await StreamServer(
            on: loop, tls: try certificates.context(name, asksForCertificate: asksForCertificate),
            answer: StreamServer.registrar)
    }

    /// A phone with an account at `domain`, whose server is at a port of this machine.
    private func phone(_ port: UInt16, domain: String = "server.example", _ tls: TLSSettings) async throws -> Phone {
        let phone = try await Phone(
            "alice", on: loop,
            account: .init(domain: domain, server: NextHop(host: "127.0.0.1", port: port, transport: .tls))
        ) { $0.tls = tls }
        try await phone.start()
        return phone
    }

    @Test("two phones call each other over TLS")
    func twoPhonesCallEachOtherOverTLS() async throws {
        let tls = TLSSettings(authorities: certificates.authority, identity: identity("server"), port: 0)
        let alice = try await Phone("alice", on: loop) { $0.tls = tls }
        let bob = try await Phone("bob", on: loop) { $0.tls = tls }
        try await alice.start()
        try await bob.start()
        let target = "sips:bob@127.0.0.1:\(try await bob.securePort())"
        try await alice.perform(.dial(call, target: target, account: Phone.account, MediaEndpoint(port: 4_000)))
        let theirs = try await bob.offered()
        try await bob.perform(.answer(theirs, MediaEndpoint(port: 5_000), awaitingACK: false))
        _ = try await alice.answered()
        // The other way, too: over the existing connection.
        try await bob.perform(.hold(theirs, true))
        _ = try await bob.first { if case .holdSettled(_, let plan) = $0 { plan } else { nil } }
        try await alice.perform(.end(call))
        #expect(try await bob.ended() == .hungUpThere)
        try await alice.close()
        try await bob.close()
    }

    @Test(
        "a server is trusted by its domain or by the name that was looked up",
        arguments: ["server.example", "127.0.0.1"])
    func serverIsTrustedByItsDomainOrByNameThatWasLookedUp(domain: String) async throws {
        let server = try await server("server")
        let phone = try await phone(server.port, domain: domain, .init(authorities: certificates.authority))
        try await phone.registration(.registered)
        try await phone.close()
        try await server.close()
    }

    @Test("another's certificate is rejected before any data, with the reason")
    func anotherCertificateIsRejectedBeforeAnyDataWithReason() async throws {
        let server = try await server("other")
        let phone = try await phone(server.port, .init(authorities: certificates.authority))
        #expect(try await phone.failure() == "the server's certificate is for another name")
        #expect(try await phone.counters().untrusted == 1)
        #expect(server.connections == 1 && server.heard == 0)
        try await phone.close()
        try await server.close()
    }

    @Test("an unknown authority is not trusted")
    func unknownAuthorityIsNotTrusted() async throws {
        let (server, elsewhere) = (try await server("server"), try Certificates())
        for tls in [TLSSettings(authorities: elsewhere.authority), TLSSettings()] {
            let phone = try await phone(server.port, tls)
            #expect(try await phone.failure().hasPrefix("the server is not trusted, or refuses TLS"))
            try await phone.close()
        }
        try await server.close()
    }

    @Test("a pinned certificate is trusted whatever its issuer, and no other one")
    func pinnedCertificateIsTrustedWhateverItsIssuerAndNoOtherOne() async throws {
        let server = try await server("own")
        let right = TLSSettings(fingerprint: Fingerprint(try certificates.fingerprint("own")))
        let phone = try await phone(server.port, domain: "whatever.example", right)
        try await phone.registration(.registered)
        try await phone.close()
        let wrong = TLSSettings(
            authorities: certificates.authority, fingerprint: Fingerprint(try certificates.fingerprint("server")))
        let other = try await self.phone(server.port, wrong)
        #expect(try await other.failure().hasPrefix("the server is not trusted"))
        try await other.close()
        try await server.close()
    }

    @Test("a server that requests it gets our certificate")
    func serverThatRequestsItGetsOurCertificate() async throws {
        let server = try await server("server", asksForCertificate: true)
        let known = try await phone(
            server.port, .init(authorities: certificates.authority, identity: identity("other")))
        try await known.registration(.registered)
        try await known.close()
        let unknown = try await phone(server.port, .init(authorities: certificates.authority))
        _ = try await unknown.failure()
        try await unknown.close()
        try await server.close()
    }

    @Test("a server that does not finish its handshake is dropped after 5 s")
    func serverThatDoesNotFinishItsHandshakeIsDroppedAfter5S() async throws {
        let listener = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let phone = try await phone(
            UInt16(listener.localAddress?.port ?? 0), .init(authorities: certificates.authority))
        #expect(try await phone.failure() == "the server does not finish its TLS handshake")
        try await phone.close()
        try await listener.close().get()
    }

    @Test(
        "a server that closes at once or in the handshake is reported as such and retried")
    func cutServer() async throws {
        for resets in [true, false] {
            let listener = try await ServerBootstrap(group: loop)
                .childChannelInitializer { channel in
                    guard resets, let options = channel as? any SocketOptionProvider else {
                        return channel.pipeline.addHandler(HangsUp())
                    }
                    return options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).map { channel.close(promise: nil) }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let phone = try await phone(
                UInt16(listener.localAddress?.port ?? 0), .init(authorities: certificates.authority))
            for _ in 0..<2 { #expect(try await !phone.failure().isEmpty) }
            try await phone.close()
            try await listener.close().get()
        }
    }

    /// Ends the connection after the first data.
    private final class HangsUp: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.close(promise: nil) }
    }

    @Test("a peer without a finished handshake or a whole message is closed")
    func peerWithoutFinishedHandshakeOrWholeMessageIsClosed() async throws {
        let bob = try await Phone("bob", on: loop) { $0.tls = .init(identity: identity("server"), port: 0) }
        try await bob.start()
        let port = try await bob.securePort()
        let mute = try await ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: port).get()
        let polite = try await stranger(at: port)
        let dawdler = try await stranger(at: port)
        let drops = dawdler.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(200)) { _ in
            dawdler.writeAndFlush(ByteBuffer(string: "OPTIONS"), promise: nil)
        }
        try await mute.closeFuture.get()
        #expect(polite.isActive && dawdler.isActive)
        try await polite.closeFuture.get()
        try await dawdler.closeFuture.get()
        drops.cancel()
        try await bob.close()
    }

    /// A client that trusts the server, and speaks TLS with it.
    private func stranger(at port: Int) async throws -> any Channel {
        let context = try TLSContext(.client, trust: .authorities(file: certificates.authority))
        return try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        SecureChannelHandler(context))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    /// Modes 604, 640 with another group, and 620; and the owner.
    @Test("a key readable by others prevents clear connections, too; one of the phone's group is used")
    func keyReadableByOthersPreventsClearConnectionsToo() async throws {
        let key = certificates.key("server")
        let tls = TLSSettings(authorities: certificates.authority, identity: identity("server"), port: 0)
        func fault() async throws -> String? {
            let phone = try await Phone("bob", on: loop) { $0.tls = tls }
            try await phone.start()
            let port = try await phone.securePort()
            // No response is sent, above all not in clear.
            let report = phone.reports.texts.first
            if report != nil {
                let clear = try await ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: port).get()
                try await clear.closeFuture.get()
            }
            try await phone.close()
            return report
        }
        for mode: mode_t in [0o644, 0o604, 0o660] {
            #expect(unsafe chmod(key, mode) == 0)
            #expect(try await fault()?.contains("others can read it (mode \(String(mode, radix: 8)))") == true)
        }
        #expect(unsafe chmod(key, 0o640) == 0)
        #expect(try await fault() == nil)
        guard geteuid() == 0 else { return }
        #expect(unsafe chown(key, 0, 12_345) == 0)
        #expect(try await fault()?.contains("mode 640") == true)
        #expect(unsafe chmod(key, 0o600) == 0)
        #expect(unsafe chown(key, 12_345, 12_345) == 0)
        #expect(try await fault()?.contains("it belongs to another user") == true)
    }

    @Test("an account with missing authorities reports it, trusts no server, and registers later")
    func accountWithMissingAuthoritiesReportsItTrustsNoServer() async throws {
        let file = certificates.folder + "/later.pem"
        let server = try await server("server")
        let phone = try await phone(server.port, .init(authorities: file))
        #expect(try await phone.failure().contains("later.pem"))
        #expect(phone.reports.texts.contains { $0.contains("later.pem") })
        #expect(unsafe symlink(certificates.authority, file) == 0)
        try await phone.registration(.registered)
        try await phone.close()
    }
}
