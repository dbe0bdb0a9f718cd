import Base
import Glibc
import LineCore
import Lines
import NIOCore
import NIOPosix
import SIPCore
import Testing

@Suite("Messages with unusable destinations", .timeLimit(.minutes(5)))
struct NobodyTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let nobodies = [
        "0.0.0.0", "255.255.255.255", "224.0.0.1", "239.255.255.250", "[::]", "[ff02::1]", "[::ffff:224.0.0.1]",
    ]

    private func request(_ method: SIPMethod, _ number: Int, via: String) -> SIPRequest {
        var request = SIPRequest(
            method, .sip(SIPURI(user: "bob", host: "127.0.0.1")),
            from: NameAddress(.sip(SIPURI(user: "x", host: "127.0.0.1")), tag: "x"),
            to: NameAddress(.sip(SIPURI(user: "bob", host: "127.0.0.1"))), callID: "nobody-\(number)", sequence: 1)
        request.headers[.via] = "SIP/2.0/UDP \(via);branch=z9hG4bK-\(method.name)-\(number)"
        return request
    }

    /// Whether the line still answers.
    private func answers(_ phone: Phone, _ number: Int) async throws -> Bool {
        let echo = Echo(on: loop)
        let channel = try await echo.bind()
        let port = channel.localAddress?.port ?? 0
        try await say(request(.options, number, via: "127.0.0.1:\(port)").bytes, to: phone, from: channel)
        let heard = await echo.next()
        try await channel.close().get()
        return heard?.starts(with: Array("SIP/2.0 ".utf8)) == true
    }

    private func say(_ bytes: [UInt8], to phone: Phone, from channel: any Channel) async throws {
        let target = try SocketAddress(ipAddress: "127.0.0.1", port: try await phone.port())
        let buffer = channel.allocator.buffer(bytes: bytes)
        try await channel.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: buffer)).get()
    }

    @Test("a response to port 0 is dropped, and the line continues")
    func responseToPort0IsDroppedAndLineContinues() async throws {
        let bob = try await Phone("bob", on: loop)
        try await bob.start()
        let channel = try await Echo(on: loop).bind()
        try await say(request(.options, 1, via: "127.0.0.1:0").bytes, to: bob, from: channel)
        #expect(try await answers(bob, 2))
        #expect(try await bob.counters().unsent == 1)
        try await channel.close().get()
        try await bob.close()
    }

    @Test("a datagram from port 0 is dropped", .enabled(if: geteuid() == 0, "needs root for a raw socket"))
    func datagramFromPort0IsDropped() async throws {
        let bob = try await Phone("bob", on: loop)
        try await bob.start()
        let stun: [UInt8] = [0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42] + (1...12)
        let port = UInt16(try await bob.port())
        for payload in [request(.options, 1, via: "127.0.0.1;rport").bytes, stun] {
            try RawDatagram.send(payload, from: 0, to: port)
        }
        #expect(try await answers(bob, 2))
        #expect(try await bob.counters().garbage == 2)
        #expect(try await bob.counters().unsent == 0)
        try await bob.close()
    }

    @Test(
        "a caller with an invalid Contact or Record-Route gets no BYE, and the line continues",
        arguments: [false, true])
    func callerWithInvalidContactOrRecordRouteGetsNoBYE(isRoute: Bool) async throws {
        let bob = try await Phone("bob", on: loop)
        try await bob.start()
        let echo = Echo(on: loop)
        let channel = try await echo.bind()
        let port = channel.localAddress?.port ?? 0
        for (number, host) in (nobodies + ["127.0.0.1:0"]).enumerated() {
            var invite = request(.invite, 10 + number, via: "127.0.0.1:\(port)")
            invite.headers[.contact] = isRoute ? "<sip:x@127.0.0.1:\(port)>" : "<sip:x@\(host)>"
            if isRoute { invite.headers[.recordRoute] = "<sip:\(host);lr>" }
            try await say(invite.bytes, to: bob, from: channel)
            let call = try await bob.offered()
            try await bob.perform(.answer(call, MediaEndpoint(port: 5_000), awaitingACK: false))
            try await bob.perform(.end(call))
            _ = try await bob.ended()
        }
        #expect(try await answers(bob, 99))
        try await channel.close().get()
        try await bob.close()
    }

    @Test("only a single host with a port is a valid destination")
    func onlySingleHostWithPortIsValidDestination() {
        for nobody in nobodies {
            #expect(Flow.Endpoint(host: nobody.filter { $0 != "[" && $0 != "]" }, port: 5_060)?.isSomebody != true)
        }
        #expect(!Flow.Endpoint("192.0.2.1", 0).isSomebody && Flow.Endpoint(host: "name.example", port: 5_060) == nil)
        for somebody in ["192.0.2.1", "127.0.0.1", "223.255.255.255", "2001:db8::1", "fe80::1", "::1"] {
            #expect(Flow.Endpoint(somebody, 5_060).isSomebody)
        }
    }
}

/// A datagram with a header that the test writes.
private enum RawDatagram {
    struct Refused: Error { let code: CInt }

    static func send(_ payload: [UInt8], from source: UInt16, to target: UInt16) throws {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_RAW.rawValue), CInt(IPPROTO_UDP))
        guard socket >= 0 else { throw Refused(code: errno) }
        defer { close(socket) }
        let words = [source, target, UInt16(8 + payload.count), 0]
        // Without a checksum, as IPv4 allows (RFC 768).
        let bytes = words.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } + payload
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
        let sent = unsafe address.withSockAddr { address, length in
            unsafe sendto(socket, bytes, bytes.count, 0, address, socklen_t(length))
        }
        guard sent == bytes.count else { throw Refused(code: errno) }
    }
}
