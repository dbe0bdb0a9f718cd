import Base
import ICECore
import LineCore
import SDPCore
import SIPCore
import Testing

/// Far ends that do ICE for two ports, as Asterisk does without `rtcp_mux`. The phone does ICE for one port only. With a
/// handshake such a far end sends nothing until its ICE is done, so an offer without ICE tells it not to wait.
@Suite struct AwaitedICETests {
    private let stranger = Stranger()

    private static let candidates = """
        a=ice-ufrag:9f5e5c0f
        a=ice-pwd:0123456789abcdef01234567
        a=candidate:1 1 UDP 2130706431 203.0.113.9 7000 typ host
        a=candidate:1 2 UDP 2130706430 203.0.113.9 7001 typ host

        """.replacing("\n", with: "\r\n")
    private static let fingerprint = CertificateFingerprint(digest: .init(repeating: 0xA1, count: 32))

    private static let octets = Array(repeating: "A1", count: 32).joined(separator: ":")

    private static func handshake(_ setup: String, ice: String = candidates) -> String {
        "v=0\r\no=- 7 7 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\nm=audio 7000 UDP/TLS/RTP/SAVP 0\r\n"
            + "a=setup:\(setup)\r\na=fingerprint:sha-256 \(octets)\r\n\(ice)"
    }

    private static let clear =
        "v=0\r\no=- 7 7 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\nm=audio 7000 RTP/AVP 0\r\n"
        + candidates

    private func world(_ policy: ProtectionPolicy) -> World {
        var world = World()
        var configuration = Calls.direct("alice")
        configuration.media.protection = policy
        configuration.media.fingerprint = Self.fingerprint
        world.add(configuration)
        return world
    }

    private func media() throws -> MediaEndpoint {
        let credentials = try #require(
            ICECredentials(userFragment: "aaaa", password: Redacted(String(repeating: "a", count: 22))))
        let candidate = "1 1 UDP 2130706431 192.0.2.1 4000 typ host"
        let ice = LocalICE(ICEDescription(credentials, candidates: [candidate]), isOffered: true)
        return MediaEndpoint(port: 4_000, ice: ice, fingerprint: Self.fingerprint.digest)
    }

    private func invites(_ world: World) -> [SIPRequest] { world.caughtRequests.filter { $0.method == .invite } }

    private func answered(_ policy: ProtectionPolicy, _ answer: String) throws -> (world: World, first: SIPRequest) {
        var world = world(policy)
        world.command(0, .dial(CallID(.phone, 1), target: "sip:x@203.0.113.9", account: .direct, try media()))
        world.run(.milliseconds(100))
        let first = try #require(invites(world).first)
        world.receive(stranger.success(to: first, tag: "one", body: answer).bytes, from: stranger)
        world.run(.milliseconds(100))
        return (world, first)
    }

    @Test func calleeThatAwaitsICEIsOfferedNone() throws {
        var (world, first) = try answered(.dtls, Self.handshake("active"))
        #expect(first.bodyText.contains("a=ice-ufrag"))
        let second = try #require(invites(world).last)
        #expect(try second.headers.to.tag == "one" && !second.bodyText.contains("a=ice-ufrag"))
        #expect(!second.bodyText.contains("a=candidate") && second.bodyText.contains("a=fingerprint"))
        let answer = Self.handshake("active", ice: "")
        world.receive(stranger.success(to: second, tag: "one", body: answer).bytes, from: stranger)
        world.run(.seconds(1))
        #expect(Set(invites(world).map(\.bytes)).count == 2 && world.ends(0, CallID(.phone, 1)).isEmpty)
    }

    @Test func calleeThatSendsWithoutAHandshakeIsLeftInPeace() throws {
        let (world, _) = try answered(.off, Self.clear)
        #expect(invites(world).count == 1 && world.ends(0, CallID(.phone, 1)).isEmpty)
    }

    @Test func callerThatAwaitsICEIsOfferedNoneAfterItsACK() throws {
        var world = world(.dtls)
        let called = CallID(.line(.direct), 1)
        world.receive(stranger.request(.invite, body: Self.handshake("actpass")).bytes, from: stranger)
        world.command(0, .answer(called, try media(), awaitingACK: false))
        world.run(.milliseconds(100))
        #expect(invites(world).isEmpty)
        world.receive(
            stranger.request(.ack, branch: "z9hG4bK-ack", toTag: world.tagForStranger).bytes, from: stranger)
        world.run(.milliseconds(100))
        let offer = try #require(invites(world).last)
        #expect(!offer.bodyText.contains("a=ice-ufrag") && offer.bodyText.contains("a=fingerprint"))
    }

    /// A server connects the call to another end.
    @Test func laterOfferThatAwaitsICEIsAnsweredAndOfferedNone() throws {
        var world = world(.dtls)
        world.receive(stranger.request(.invite, body: Self.handshake("actpass", ice: "")).bytes, from: stranger)
        world.command(0, .answer(CallID(.line(.direct), 1), try media(), awaitingACK: false))
        world.run(.milliseconds(100))
        let tag = world.tagForStranger
        world.receive(stranger.request(.ack, branch: "z9hG4bK-ack", toTag: tag).bytes, from: stranger)
        #expect(invites(world).isEmpty)
        let body = Self.handshake("actpass")
        let offer = stranger.request(.invite, sequence: 11, branch: "z9hG4bK-i2", toTag: tag, body: body)
        world.receive(offer.bytes, from: stranger)
        #expect(invites(world).isEmpty)
        world.receive(stranger.request(.ack, sequence: 11, branch: "z9hG4bK-a2", toTag: tag).bytes, from: stranger)
        let again = try #require(invites(world).last)
        #expect(!again.bodyText.contains("a=ice-ufrag") && again.bodyText.contains("a=fingerprint"))
    }
}

extension SIPRequest {
    fileprivate var bodyText: String { String(decoding: body, as: UTF8.self) }
}
