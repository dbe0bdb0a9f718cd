import Base
import LineCore
import Lines
import NIOCore
import NIOPosix
import SIPCore
import Testing

@Suite("Floods", .timeLimit(.minutes(5)))
struct FloodTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Sends datagrams from an address that the line does not know, and waits until the line has handled all of them.
    private func flood(_ phone: Phone, from host: String, _ datagrams: [[UInt8]]) async throws {
        let channel = try await DatagramBootstrap(group: loop).bind(host: host, port: 0).get()
        let target = try SocketAddress(ipAddress: "127.0.0.1", port: try await phone.port())
        for bytes in datagrams {
            let buffer = channel.allocator.buffer(bytes: bytes)
            try await channel.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: buffer)).get()
        }
        try await channel.close().get()
    }

    private func options(_ number: Int) -> [UInt8] {
        var request = SIPRequest(
            .options, .sip(SIPURI(user: "bob", host: "127.0.0.1")),
            from: NameAddress(.sip(SIPURI(user: "x", host: "127.0.0.2")), tag: "x"),
            to: NameAddress(.sip(SIPURI(user: "bob", host: "127.0.0.1"))), callID: "flood-\(number)", sequence: 1)
        request.headers[.via] = "SIP/2.0/UDP 127.0.0.2:9;branch=z9hG4bK-\(number)"
        return request.bytes
    }

    @Test("a stranger's flood is not read, and a call continues beside it")
    func strangerFloodIsNotReadAndCallContinuesBesideIt() async throws {
        let (alice, bob) = (try await Phone("alice", on: loop), try await Phone("bob", on: loop))
        try await alice.start()
        try await bob.start()
        let call = CallID(.phone, 1)
        let target = "sip:bob@127.0.0.1:\(try await bob.port())"
        try await alice.perform(.dial(call, target: target, account: Phone.account, MediaEndpoint(port: 4_000)))
        let theirs = try await bob.offered()
        let (before, began) = (bob.summaries.texts.count, ContinuousClock.now)
        try await flood(bob, from: "127.0.0.2", (0..<2_000).map { options($0) })
        try await flood(bob, from: "127.0.0.3", (0..<2_000).map { _ in Array("garbage".utf8) })
        try await bob.perform(.answer(theirs, MediaEndpoint(port: 5_000), awaitingACK: false))
        _ = try await alice.answered()
        try await alice.perform(.end(call))
        #expect(try await bob.ended() == .hungUpThere)
        let counters = try await bob.counters()
        // The kernel may drop some before the line sees them; the others are counted, and a handful is read.
        #expect(counters.limited > 1_000)
        let answers = bob.summaries.texts.dropFirst(before).count { $0 == "sent 200 OK (OPTIONS)" }
        // A busy machine takes longer, and a stranger may have ten messages a second.
        let longer = Int((ContinuousClock.now - began).components.seconds) * 10
        #expect((1...100 + longer).contains(answers))
        try await alice.close()
        try await bob.close()
    }
}
