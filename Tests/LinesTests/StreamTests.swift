import Base
import LineCore
import Lines
import NIOCore
import NIOPosix
import SIPCore
import Testing

@Suite("Connections", .timeLimit(.minutes(5)))
struct StreamTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func account(_ port: UInt16) -> LineConfiguration.Account {
        .init(domain: "server.example", server: NextHop(host: "127.0.0.1", port: port, transport: .tcp))
    }

    private func options(_ port: UInt16, _ number: Int) -> SIPRequest {
        var request = SIPRequest(
            .options, .sip(SIPURI(user: "alice", host: "127.0.0.1")),
            from: NameAddress(.sip(SIPURI(user: "s", host: "server.example")), tag: "s"),
            to: NameAddress(.sip(SIPURI(user: "alice", host: "server.example"))), callID: "o\(number)", sequence: 1)
        request.headers[.via] = "SIP/2.0/TCP 127.0.0.1:\(port);branch=z9hG4bK-\(number)"
        return request
    }

    /// A server's received responses, by their Call-ID.
    private func heard(_ server: StreamServer, _ count: Int) async -> [String] {
        var all: [String] = []
        for await message in server.messages {
            if case .response(let response) = message { all.append(response.headers[.callID] ?? "") }
            if all.count == count { break }
        }
        return all
    }

    @Test("split and joined messages are parsed alike")
    func splitAndJoinedMessagesAreParsedAlike() async throws {
        let server = try await StreamServer(on: loop) { request in
            // The answer byte by byte.
            StreamServer.accept(request).bytes.map { [$0] }
        }
        let phone = try await Phone("alice", on: loop, account: account(server.port))
        try await phone.start()
        try await phone.registration(.registered)
        let three = (1...3).flatMap { options(server.port, $0).bytes }
        try await server.say(Array(three.prefix(three.count - 10)))
        try await server.say(Array(three.suffix(10)) + Array("\r\n\r\n".utf8) + options(server.port, 4).bytes)
        #expect(await heard(server, 4) == ["o1", "o2", "o3", "o4"])
        #expect(server.connections == 1)
        try await phone.close()
        try await server.close()
    }

    @Test("a call over our connection is answered over it")
    func callOverOurConnectionIsAnsweredOverIt() async throws {
        let server = try await StreamServer(on: loop, answer: StreamServer.registrar)
        let phone = try await Phone("alice", on: loop, account: account(server.port))
        try await phone.start()
        try await phone.registration(.registered)
        var invite = options(server.port, 1)
        invite.method = .invite
        invite.headers.set(.cSeq, CSeq(1, .invite))
        invite.headers[.contact] = "<sip:server@127.0.0.1:\(server.port);transport=tcp>"
        try await server.say(invite.bytes)
        let call = try await phone.offered()
        try await phone.perform(.refuse(call, .busy))
        for await message in server.messages {
            if case .response(let response) = message, response.status == .busyHere { break }
        }
        #expect(server.connections == 1)
        try await phone.close()
        try await server.close()
    }

    @Test("a closed connection is restored, and the line registers over it")
    func closedConnectionIsRestoredAndLineRegistersOverIt() async throws {
        let server = try await StreamServer(on: loop, answer: StreamServer.registrar)
        let phone = try await Phone("alice", on: loop, account: account(server.port))
        try await phone.start()
        try await phone.registration(.registered)
        try await server.hangUp()
        var registers = 0
        for await message in server.messages {
            if case .request(let request) = message, request.method == .register { registers += 1 }
            if registers == 2 { break }
        }
        #expect(server.connections == 2)
        try await phone.close()
        try await server.close()
    }

    @Test("a peer's keep-alives are answered, over TCP with a CRLF and over UDP with its address")
    func peerKeepAlivesAreAnswered() async throws {
        let bob = try await Phone("bob", on: loop)
        try await bob.start()
        let port = try await bob.port()
        let echo = Echo(on: loop)
        let stream = try await echo.connect(port: port)
        try await stream.writeAndFlush(stream.allocator.buffer(string: "\r\n\r\n")).get()
        #expect(await echo.next() == Array("\r\n".utf8))
        try await stream.close().get()
        let socket = try await echo.bind()
        let request: [UInt8] = [0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42] + (1...12)
        let target = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        func send(_ bytes: [UInt8]) async throws {
            let buffer = socket.allocator.buffer(bytes: bytes)
            try await socket.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: buffer)).get()
        }
        try await send(request + [1])
        try await send(request)
        let answer = await echo.next()
        #expect(
            answer?.prefix(4).elementsEqual([1, 1, 0, 12]) == true
                && answer?.dropFirst(4).prefix(16).elementsEqual(request[4...]) == true)
        let own = UInt16(socket.localAddress?.port ?? 0) ^ 0x2112
        #expect(answer?.dropFirst(26).prefix(2).elementsEqual([UInt8(own >> 8), UInt8(own & 0xFF)]) == true)
        #expect(try await bob.counters().strayKeepAlives == 1)
        try await socket.close().get()
        try await bob.close()
    }

    @Test("slow peers are closed: a silent one, and one that sends byte by byte")
    func slowPeersAreClosedSilentOneAndOneThatSendsByteByByte() async throws {
        let bob = try await Phone("bob", on: loop)
        try await bob.start()
        let port = try await bob.port()
        let mute = try await ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: port).get()
        let slow = try await ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: port).get()
        let known = try await ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: port).get()
        try await known.writeAndFlush(known.allocator.buffer(bytes: options(9, 1).bytes)).get()
        let drip = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(300)) { _ in
            slow.writeAndFlush(slow.allocator.buffer(string: "O"), promise: nil)
            known.writeAndFlush(known.allocator.buffer(string: ""), promise: nil)
        }
        try await mute.closeFuture.get()
        try await slow.closeFuture.get()
        // A peer that has identified itself may be quiet.
        #expect(known.isActive)
        known.writeAndFlush(known.allocator.buffer(string: "OPT"), promise: nil)
        try await known.closeFuture.get()
        drip.cancel()
        try await bob.close()
    }

    @Test("a fault of one account does not affect another", arguments: ["garbage", "silence", "closing"])
    func faultOfOneAccountDoesNotAffectAnother(fault: String) async throws {
        let bad = try await StreamServer(on: loop) { request in
            fault == "garbage" ? [Array("SIP/2.0 banana\r\n\r\n".utf8), [UInt8](repeating: 0xFF, count: 70_000)] : []
        }
        let good = try await StreamServer(on: loop, answer: StreamServer.registrar)
        let accounts = [AccountID(1): bad, AccountID(2): good].mapValues { server in
            LineSettings(
                configuration: LineConfiguration(user: "alice", account: account(server.port)),
                addresses: ["127.0.0.1"], port: 0)
        }
        let phone = try await Phone(accounts, on: loop)
        try await phone.start()
        try await phone.registration(of: AccountID(2), .registered)
        if fault == "closing" { try await bad.close() }
        try await good.say(options(good.port, 1).bytes)
        #expect(await heard(good, 1) == ["o1"])
        #expect(good.connections == 1)
        try await phone.close()
        try await good.close()
        if fault != "closing" { try await bad.close() }
    }
}
