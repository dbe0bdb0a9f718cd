import Base
import Cryptography
import Foundation
import Glibc
import LineCore
import Lines
import NIOCore
import NIOPosix
import Rig
import SIPCore
import SecureTransport
import Testing

@Suite("Strangers on connections", .serialized, .timeLimit(.minutes(3)))
struct StreamLimitTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func options(_ number: Int, _ more: String = "Content-Length: 0\r\n") -> [UInt8] {
        Array(
            """
            OPTIONS sip:bob@127.0.0.1 SIP/2.0\r
            Via: SIP/2.0/TCP 127.0.0.1:9;branch=z9hG4bK-\(number)\r
            Max-Forwards: 70\r
            From: <sip:x@127.0.0.1>;tag=x\r
            To: <sip:bob@127.0.0.1>\r
            Call-ID: limit-\(number)\r
            CSeq: 1 OPTIONS\r
            \(more)\r

            """.utf8)
    }

    /// Resident memory of this process in kilobytes. `getrusage` has only the maximum so far, of any test.
    private func resident() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    @Test(
        "40 MB of line breaks from a stranger cost no memory and end soon",
        arguments: [false, true])
    func lineBreaks(afterGreeting: Bool) async throws {
        let bob = try await Phone("bob", on: loop)
        try await bob.start()
        let client = try DeafClient(port: UInt16(try await bob.port()))
        if afterGreeting { _ = client.say(options(1)) }
        let before = try resident()
        let breaks = [UInt8](repeating: 0, count: 65_536).indices.map { $0.isMultiple(of: 2) ? UInt8(0x0D) : 0x0A }
        var sent = 0
        while sent < 40_000_000, client.say(breaks) { sent += breaks.count }
        #expect(try resident() - before < 20_000)
        // It is gone, and the next one is read.
        let echo = Echo(on: loop)
        let other = try await echo.connect(port: try await bob.port())
        try await other.writeAndFlush(other.allocator.buffer(bytes: options(2))).get()
        #expect(await echo.next()?.starts(with: Array("SIP/2.0 ".utf8)) == true)
        #expect(sent < 40_000_000)
        try await other.close().get()
        try await bob.close()
    }

    @Test("40 MB of line breaks over TLS cost no memory either")
    func lineBreaksOverTLS() async throws {
        let certificates = try Certificates()
        try certificates.make("bob", "IP:127.0.0.1")
        let identity = TLSSettings.Identity(
            certificateFile: certificates.certificate("bob"), keyFile: certificates.key("bob"))
        let bob = try await Phone("bob", on: loop) { $0.tls = .init(identity: identity, port: 0) }
        try await bob.start()
        let context = try TLSContext(.client, trust: .authorities(file: certificates.authority))
        let secured = loop.makePromise(of: Void.self)
        let client = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(SecureChannelHandler(context))
                    try pipeline.addHandler(DeafAfterGreeting(secured))
                }
            }
            .connect(host: "127.0.0.1", port: try await bob.securePort()).get()
        try await secured.futureResult.get()
        let before = try resident()
        let breaks = ByteBuffer(string: String(repeating: "\r\n", count: 32_768))
        var sent = 0
        while sent < 40_000_000 {
            do { try await client.writeAndFlush(breaks).get() } catch { break }
            sent += breaks.readableBytes
        }
        #expect(sent < 40_000_000)
        #expect(try resident() - before < 20_000)
        try? await client.close().get()
        try await bob.close()
    }

    @Test(
        "a keep-alive every other second is answered forever; two at once get one answer")
    func keepAliveEveryOtherSecondIsAnsweredForever() async throws {
        let bob = try await Phone("bob", on: loop)
        try await bob.start()
        let echo = Echo(on: loop)
        let peer = try await echo.connect(port: try await bob.port())
        for _ in 0..<30 {
            try await peer.writeAndFlush(peer.allocator.buffer(string: "\r\n\r\n")).get()
            #expect(await echo.next() == Array("\r\n".utf8))
        }
        #expect(peer.isActive)
        try await peer.close().get()
        try await bob.close()
    }

    @Test("strangers in all their places do not exclude known peers")
    func strangersInAllTheirPlacesDoNotExcludeKnownPeers() async throws {
        let bob = try await Phone("bob", on: loop, accepts: .listed(["127.0.0.200"]))
        try await bob.start()
        let port = UInt16(try await bob.port())
        var strangers: [DeafClient] = []
        for number in 0..<48 {
            let stranger = try DeafClient(port: port, from: "127.0.1.\(1 + number / 4)")
            _ = stranger.say(Array("OPTIONS sip:bob@127.0.0.1 SIP/2.0\r\nVia: ".utf8))
            strangers.append(stranger)
        }
        // Known peers come before and after one another, and none of them is closed.
        let friends = try (0..<8).map { _ in try DeafClient(port: port, from: "127.0.0.200") }
        for number in 0..<24 { strangers.append(try DeafClient(port: port, from: "127.0.2.\(1 + number)")) }
        for (number, friend) in friends.enumerated() {
            #expect(friend.say(options(number)))
            #expect(friend.hear()?.hasPrefix("SIP/2.0 200 ") == true)
        }
        // The oldest strangers were closed for the newest.
        #expect(strangers.first?.hear() == "")
        #expect(try await bob.counters().refused >= 72 - 16)
        try await bob.close()
    }

    @Test(
        "idle connections behind the server's address exclude neither server nor calls, and active ones stay"
    )
    func neighbours() async throws {
        // The account does not register: its server connects, from a port that proves nothing.
        let server = NextHop(host: "127.0.0.200", port: 9, transport: .tcp)
        let bob = try await Phone(
            "bob", on: loop, accepts: .ownServerOnly,
            account: .init(domain: "server.example", server: server, registers: false))
        try await bob.start()
        let port = UInt16(try await bob.port())
        let calling = try DeafClient(port: port, from: server.host)
        let invite = ScriptedCaller(at: .init(server.host, 9), .tcp).request(
            .invite, body: ScriptedCaller.session(at: server.host, 7_000))
        #expect(calling.say(invite.bytes) && calling.hear()?.hasPrefix("SIP/2.0 ") == true)
        var neighbours: [DeafClient] = []
        for number in 0..<12 {
            let neighbour = try DeafClient(port: port, from: server.host)
            // Every other one sends something, and then nothing more.
            if number.isMultiple(of: 2) {
                #expect(neighbour.say(options(number)) && neighbour.hear()?.hasPrefix("SIP/2.0 200 ") == true)
            }
            neighbours.append(neighbour)
        }
        let next = try DeafClient(port: port, from: server.host)
        #expect(next.say(options(100)) && next.hear()?.hasPrefix("SIP/2.0 200 ") == true)
        // The silent ones were closed first.
        #expect(neighbours[1].hear() == "")
        let call = try await bob.offered()
        try await bob.perform(.answer(call, MediaEndpoint(port: 5_000), awaitingACK: false))
        #expect(calling.hear()?.contains("200 OK") == true)
        try await bob.close()
    }

    @Test(
        "unframeable data is rejected with a reason before the connection closes",
        arguments: [
            "Content-Length: -1\r\n", "Content-Length: x\r\n", "Content-Length: 0\r\nContent-Length: 1\r\n",
            "Content-Length: 99999\r\n",
        ])
    func unframeableDataIsRejectedWithReasonBeforeConnectionCloses(length: String) async throws {
        let bob = try await Phone("bob", on: loop)
        try await bob.start()
        let client = try DeafClient(port: UInt16(try await bob.port()))
        #expect(client.say(options(1, length)))
        #expect(client.hear()?.hasPrefix("SIP/2.0 400 ") == true)
        #expect(client.hear() == "")
        #expect(try await bob.counters().malformed == 1)
        try await bob.close()
    }

    @Test("a server that reads nothing is dropped, and its queue is bounded")
    func serverThatReadsNothingIsDroppedAndItsQueueIsBounded() async throws {
        let listener = try DeafServer()
        let alice = try await Phone("alice", on: loop)
        try await alice.start()
        let before = try resident()
        for number in 0..<3_000 {
            try await alice.perform(
                .dial(
                    CallID(.phone, UInt32(number)), target: "sip:x@127.0.0.1:\(listener.port);transport=tcp",
                    account: Phone.account, MediaEndpoint(port: 4_000)))
            try await alice.perform(.end(CallID(.phone, UInt32(number))))
        }
        #expect(try resident() - before < 20_000)
        try await alice.close()
    }
}

/// Reads nothing once the connection is secured.
private final class DeafAfterGreeting: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let secured: EventLoopPromise<Void>

    init(_ secured: EventLoopPromise<Void>) { self.secured = secured }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is SecureChannelHandler.Secured else { return }
        context.channel.setOption(.autoRead, value: false).cascade(to: secured)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// A peer that reads only on the test's order. Never waits longer than a few seconds.
final class DeafClient {
    struct Refused: Error { let code: CInt }
    private let socket: CInt

    init(port: UInt16, from host: String = "127.0.0.9") throws {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        let own = try SocketAddress(ipAddress: host, port: 0)
        let far = try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
        guard unsafe own.withSockAddr({ unsafe bind(socket, $0, socklen_t($1)) }) == 0,
            unsafe far.withSockAddr({ unsafe connect(socket, $0, socklen_t($1)) }) == 0
        else { throw Refused(code: errno) }
    }

    deinit { close(socket) }

    /// Whether all of it could be sent.
    func say(_ bytes: [UInt8]) -> Bool {
        unsafe send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
    }

    /// The next data; empty when the far end has closed, nil when nothing comes.
    func hear() -> String? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(socket, &bytes, bytes.count, 0)
        if count < 0 { return errno == ECONNRESET ? "" : nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// A listener that never accepts: data for its connections waits in the kernel.
final class DeafServer {
    private let socket: CInt
    let port: UInt16

    init() throws {
        socket = try SystemSocket.bound(.stream, host: "127.0.0.1", port: 0)
        port = try SystemSocket.port(of: socket)
    }

    deinit { close(socket) }
}
