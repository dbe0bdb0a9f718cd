import Base
import LineCore
import Lines
import NIOCore
import NIOPosix
import SIPCore
import Testing

@Suite("Lines on real sockets", .timeLimit(.minutes(5)))
struct LinesTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let call = CallID(.phone, 1)

    private func pair() async throws -> (alice: Phone, bob: Phone, target: String) {
        let alice = try await Phone("alice", on: loop)
        let bob = try await Phone("bob", on: loop)
        try await alice.start()
        try await bob.start()
        return (alice, bob, "sip:bob@127.0.0.1:\(try await bob.port())")
    }

    private func place(_ alice: Phone, _ target: String) async throws {
        try await alice.perform(.dial(call, target: target, account: Phone.account, MediaEndpoint(port: 4_000)))
    }

    @Test("a call works over UDP and TCP, by number and by name", arguments: ["", ";transport=tcp", "localhost"])
    func callWorksOverUDPAndTCPByNumberAndByName(way: String) async throws {
        let (alice, bob, address) = try await pair()
        let target = way == "localhost" ? address.replacing("127.0.0.1", with: way) : address + way
        try await place(alice, target)
        let theirs = try await bob.offered()
        #expect(theirs == CallID(.line(Phone.account), 1))
        try await bob.perform(.alert(theirs))
        _ = try await alice.first { $0 == .ringing(call) ? true : nil }
        try await bob.perform(.answer(theirs, MediaEndpoint(port: 5_000), awaitingACK: false))
        let (plan, other) = (try await alice.answered(), try await bob.answered())
        #expect(plan.remote == MediaAddress(host: "127.0.0.1", port: 5_000))
        #expect(other.remote == MediaAddress(host: "127.0.0.1", port: 4_000))
        #expect(plan.sdes?.sendKey == other.sdes?.receiveKey && plan.protection != nil)

        try await alice.perform(.hold(call, true))
        let held = try await alice.first { if case .holdSettled(_, let plan) = $0 { plan } else { nil } }
        #expect(held.sends && !held.receives)
        let isHeld = try await bob.first { if case .renegotiated(_, _, let held) = $0 { held } else { nil } }
        #expect(isHeld)

        try await bob.perform(.end(theirs))
        #expect(try await alice.ended() == .hungUpThere)
        #expect(try await bob.ended() == .hungUpHere)
        #expect(alice.summaries.texts.first?.hasPrefix("sent INVITE sip:bob@") == true)
        #expect(alice.summaries.texts.contains("received 180 Ringing (INVITE)"))
        try await alice.close()
        try await bob.close()
    }

    /// RFC 4475 §3.1.1.2 (`intmeth`): a token may begin with any of these characters.
    @Test("a method without a leading letter is rejected as unknown, over UDP and TCP", arguments: [true, false])
    func methodWithoutLeadingLetterIsRejectedAsUnknownOverUDPAndTCP(isDatagram: Bool) async throws {
        let bob = try await Phone("bob", on: loop)
        try await bob.start()
        let port = try await bob.port()
        let echo = Echo(on: loop)
        let channel = isDatagram ? try await echo.bind() : try await echo.connect(port: port)
        let request = """
            !interesting-Method0123456789_*+`.%indeed'~ sip:bob@127.0.0.1 SIP/2.0\r
            Via: SIP/2.0/\(isDatagram ? "UDP" : "TCP") 127.0.0.1:9;branch=z9hG4bK-strange;rport\r
            Max-Forwards: 70\r
            From: <sip:x@127.0.0.1>;tag=x\r
            To: <sip:bob@127.0.0.1>\r
            Call-ID: strange\r
            CSeq: 1 !interesting-Method0123456789_*+`.%indeed'~\r
            Content-Length: 0\r
            \r

            """
        if isDatagram {
            let remote = try SocketAddress(ipAddress: "127.0.0.1", port: port)
            let datagram = AddressedEnvelope(remoteAddress: remote, data: ByteBuffer(string: request))
            try await channel.writeAndFlush(datagram).get()
        } else {
            try await channel.writeAndFlush(ByteBuffer(string: request)).get()
        }
        let answer = try #require(await echo.next())
        #expect(answer.starts(with: Array("SIP/2.0 501 ".utf8)), "\(String(decoding: answer, as: UTF8.self))")
        try await channel.close().get()
        try await bob.close()
    }

    @Test("a port in use is named with its protocol, and nothing stays open", arguments: [true, false])
    func portInUseIsNamedWithItsProtocolAndNothingStaysOpen(isDatagram: Bool) async throws {
        let taken: any Channel =
            isDatagram
            ? try await DatagramBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
            : try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(taken.localAddress?.port)
        let phone = try await Phone("alice", on: loop, port: UInt16(port))
        let expected = LinesError.portInUse(isDatagram ? .udp : .tcp, host: "127.0.0.1", port: port)
        await #expect(throws: expected) { try await phone.start() }
        #expect("\(expected)".contains("\(port)"))
        try await taken.close().get()
        try await phone.start()
        #expect(try await phone.port() == port)
        try await phone.close()
    }

    @Test("a missing local address is waited for and reported")
    func missingLocalAddressIsWaitedForAndReported() async throws {
        let direct = try await Phone("alice", on: loop) { $0.addresses = ["192.0.2.1"] }
        try await direct.start()
        let text = "192.0.2.1 is not an address of this machine (for UDP port 0)"
        #expect(try await direct.failure() == text)
        try await direct.perform(.reconnect(Phone.account))
        #expect(try await direct.failure() == text)
        try await direct.close()
        let home = LineConfiguration.Account(domain: "server.example", server: NextHop(host: "127.0.0.1", port: 9))
        let account = try await Phone("alice", on: loop, account: home) { $0.addresses = ["192.0.2.1"] }
        try await account.start()
        #expect(try await account.failure() == text)
        try await account.perform(.shutDown)
        try await account.finished()
        try await account.close()
    }

    @Test("garbage on both sockets is counted and disturbs no call")
    func garbageOnBothSocketsIsCountedAndDisturbsNoCall() async throws {
        let (alice, bob, target) = try await pair()
        try await place(alice, target)
        let theirs = try await bob.offered()
        let port = try await bob.port()
        try await Garbage.pelt(port: port, on: loop, seed: 5)
        try await bob.perform(.answer(theirs, MediaEndpoint(port: 5_000), awaitingACK: false))
        _ = try await alice.answered()
        try await Garbage.pelt(port: port, on: loop, seed: 6)
        try await alice.perform(.end(call))
        #expect(try await bob.ended() == .hungUpThere)
        let counters = try await bob.counters()
        #expect(counters.garbage > 0 && counters.malformed > 0)
        try await alice.close()
        try await bob.close()
    }

    @Test("a refused connection makes the far end unreachable at once")
    func refusedConnectionMakesFarEndUnreachableAtOnce() async throws {
        let alice = try await Phone("alice", on: loop)
        try await alice.start()
        let closed = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(closed.localAddress?.port)
        try await closed.close().get()
        try await place(alice, "sip:bob@127.0.0.1:\(port);transport=tcp")
        #expect(try await alice.ended() == .unreachable)
        try await alice.close()
    }

    @Test("beyond the limit the oldest strangers' connections close")
    func beyondLimitOldestStrangersConnectionsClose() async throws {
        let (alice, bob, target) = try await pair()
        let port = try await bob.port()
        var channels: [any Channel] = []
        for _ in 0..<40 {
            channels.append(try await ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: port).get())
        }
        for channel in channels.prefix(32) { try await channel.closeFuture.get() }
        #expect(try await bob.counters().refused == 32)
        #expect(channels.suffix(8).allSatisfy { $0.isActive })
        // UDP does not care.
        try await place(alice, target)
        _ = try await bob.offered()
        for channel in channels.suffix(8) { try await channel.close().get() }
        try await alice.close()
        try await bob.close()
    }

    @Test("shutdown ends calls and notifies the far end")
    func shutdownEndsCallsAndNotifiesFarEnd() async throws {
        let (alice, bob, target) = try await pair()
        try await place(alice, target)
        let theirs = try await bob.offered()
        try await bob.perform(.answer(theirs, MediaEndpoint(port: 5_000), awaitingACK: false))
        _ = try await alice.answered()
        try await alice.perform(.shutDown)
        #expect(try await alice.ended() == .shutDown)
        #expect(try await bob.ended() == .hungUpThere)
        try await alice.finished()
        try await alice.close()
        try await bob.close()
    }

    @Test("lines finish only after the server got their unregister")
    func linesFinishOnlyAfterServerGotTheirUnregister() async throws {
        let registrar = try await Registrar(on: loop)
        let alice = try await Phone(
            "alice", on: loop,
            account: .init(domain: "server.example", server: NextHop(host: "127.0.0.1", port: registrar.port)))
        try await alice.start()
        _ = try await alice.first { $0 == .registration(Phone.account, .registered) ? true : nil }
        try await alice.perform(.shutDown)
        try await alice.finished()
        // The first one was lost, so it was repeated.
        #expect(registrar.unregisters == 2)
        #expect(alice.summaries.texts.last == "received 200 OK (REGISTER)")
        try await alice.close()
        try await registrar.close()
    }

    @Test("a call on an unknown line ends at once")
    func callOnUnknownLineEndsAtOnce() async throws {
        let alice = try await Phone("alice", on: loop)
        try await alice.start()
        let nowhere = LineCommand.dial(call, target: "123", account: AccountID(9), MediaEndpoint(port: 4_000))
        try await alice.perform(nowhere)
        #expect(try await alice.ended() == .lineNotReady)
        try await alice.close()
    }

    @Test("the hash functions match their test vectors")
    func hashFunctionsMatchTheirTestVectors() {
        func hex(_ bytes: [UInt8]) -> String {
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        // RFC 1321 §A.5, FIPS 180-2 §B.1.
        #expect(hex(DigestHashes.real.md5(Array("abc".utf8))) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(
            hex(DigestHashes.real.sha256(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
