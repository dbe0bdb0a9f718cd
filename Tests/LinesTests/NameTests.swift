import Base
import LineCore
import Lines
import NIOCore
import NIOPosix
import SIPCore
import Synchronization
import Testing

@Suite("Servers found by DNS, over both families", .timeLimit(.minutes(5)))
struct NameTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func phone(_ server: NextHop, _ names: NameServer, addresses: [String] = ["127.0.0.1"]) async throws
        -> Phone
    {
        let phone = try await Phone("alice", on: loop, account: .init(domain: "d.example", server: server)) {
            $0.nameServers = [names.address]
            $0.addresses = addresses
        }
        try await phone.start()
        return phone
    }

    /// A local port without a listener.
    private func closedPort() async throws -> UInt16 {
        let channel = try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        defer { channel.close(promise: nil) }
        return UInt16(channel.localAddress?.port ?? 0)
    }

    @Test("SRV records lead to servers, and past one that refuses")
    func srvRecordsLeadToServersAndPastOneThatRefuses() async throws {
        let server = try await StreamServer(on: loop, answer: StreamServer.registrar)
        let names = try await NameServer(
            on: loop,
            [
                "d.example": [
                    .naptr(order: 2, service: "SIP+D2U", "_sip._udp.d.example"),
                    .naptr(order: 1, service: "SIP+D2T", "_sip._tcp.d.example"),
                ],
                "_sip._tcp.d.example": [
                    .srv(priority: 2, port: server.port, "b.example"),
                    .srv(priority: 1, port: try await closedPort(), "a.example"),
                ],
                "_sip._udp.d.example": [.srv(priority: 1, port: 9, "a.example")],
                "a.example": [.a("127.0.0.1")], "b.example": [.a("127.0.0.1")],
            ])
        let phone = try await phone(NextHop(host: "d.example", transport: nil), names)
        try await phone.registration(.registered)
        #expect(names.asked.first == "d.example 35" && names.asked.contains("_sip._tcp.d.example 33"))
        // A cached name is not queried again.
        let asked = names.asked.count
        try await phone.perform(
            .dial(CallID(.phone, 1), target: "555", account: Phone.account, MediaEndpoint(port: 4_000)))
        for await message in server.messages {
            if case .request(let request) = message, request.method == .invite { break }
        }
        #expect(names.asked.count == asked)
        try await phone.close()
        try await server.close()
        try await names.close()
    }

    @Test("a record with TTL zero is looked up each time")
    func recordWithTTLZeroIsLookedUpEachTime() async throws {
        let server = try await StreamServer(on: loop, answer: StreamServer.registrar)
        let names = try await NameServer(
            on: loop, life: 0,
            [
                "_sip._tcp.d.example": [.srv(priority: 1, port: server.port, "a.example")],
                "a.example": [.a("127.0.0.1")],
            ])
        let phone = try await phone(NextHop(host: "d.example", transport: .tcp), names)
        try await phone.registration(.registered)
        let asked = names.asked.count
        try await phone.perform(
            .dial(CallID(.phone, 1), target: "555", account: Phone.account, MediaEndpoint(port: 4_000)))
        for await message in server.messages {
            if case .request(let request) = message, request.method == .invite { break }
        }
        #expect(names.asked.count == 2 * asked && asked == 2)
        try await phone.close()
        try await server.close()
        try await names.close()
    }

    @Test("a given port uses the host's own address, and an unknown name fails")
    func givenPortUsesHostOwnAddressAndUnknownNameFails() async throws {
        let server = try await StreamServer(on: loop, answer: StreamServer.registrar)
        let names = try await NameServer(on: loop, ["d.example": [.a("127.0.0.1")]])
        let phone = try await phone(NextHop(host: "d.example", port: server.port, transport: .tcp), names)
        try await phone.registration(.registered)
        #expect(names.asked == ["d.example 1"])
        let lost = try await self.phone(NextHop(host: "nobody.example"), names)
        #expect(try await lost.failure() == "the server's address was not found")
        try await phone.close()
        try await lost.close()
        try await server.close()
        try await names.close()
    }

    @Test("an unknown name is looked up ever more rarely, and causes no repeated registration")
    func unknownNameIsLookedUpEverMoreRarely() async throws {
        let registers = Count()
        let server = try await StreamServer(on: loop) { request in
            if request.method == .register { registers.value.withLock { $0 += 1 } }
            return [StreamServer.accept(request).bytes]
        }
        let names = try await NameServer(on: loop, life: 0, ["d.example": [.a("127.0.0.1")]])
        let phone = try await phone(NextHop(host: "d.example", port: server.port, transport: .tcp), names)
        try await phone.registration(.registered)
        names.forget()
        let lost = try await self.phone(NextHop(host: "nobody.example"), names)
        _ = try await lost.failure()
        let first = names.asked.count { $0.contains("nobody") }
        // It queries the name, and calls over the existing connection.
        try await phone.perform(
            .dial(CallID(.phone, 1), target: "555", account: Phone.account, MediaEndpoint(port: 4_000)))
        try await Task.sleep(for: .seconds(5))
        #expect(names.asked.count { $0 == "d.example 1" } <= 3 && registers.value.withLock { $0 } == 1)
        #expect(names.asked.count { $0.contains("nobody") } <= 3 * first)
        try await phone.close()
        try await lost.close()
        try await server.close()
        try await names.close()
    }

    @Test("a silent name server is abandoned in time")
    func silentNameServerIsAbandonedInTime() async throws {
        let mute = try await DatagramBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let phone = try await Phone(
            "alice", on: loop, account: .init(domain: "d.example", server: NextHop(host: "d.example"))
        ) {
            $0.nameServers = ["127.0.0.1:\(mute.localAddress?.port ?? 0)"]
        }
        let start = ContinuousClock.now
        try await phone.start()
        #expect(try await phone.failure() == "the server's address was not found")
        #expect(ContinuousClock.now - start < .seconds(8))
        try await phone.close()
        try await mute.close().get()
    }

    // MARK: Families

    @Test("a line registers over IPv6 with an IPv6 Contact", arguments: [["::1"], ["127.0.0.1", "::1"]])
    func lineRegistersOverIPv6WithIPv6Contact(addresses: [String]) async throws {
        let server = try await StreamServer(on: loop, host: "::1", answer: StreamServer.registrar)
        let phone = try await Phone(
            "alice", on: loop,
            account: .init(domain: "d.example", server: NextHop(host: "::1", port: server.port, transport: .tcp))
        ) { $0.addresses = addresses }
        try await phone.start()
        try await phone.registration(.registered)
        for await message in server.messages {
            guard case .request(let request) = message else { continue }
            let port = try await phone.port()
            #expect(request.headers[.contact]?.hasPrefix("<sip:alice@[::1]:\(port);transport=tcp>") == true)
            break
        }
        try await phone.close()
        try await server.close()
    }

    @Test("a line with both families is called over both")
    func lineWithBothFamiliesIsCalledOverBoth() async throws {
        let bob = try await Phone("bob", on: loop) { $0.addresses = ["0.0.0.0", "::"] }
        let alice = try await Phone("alice", on: loop) { $0.addresses = ["127.0.0.1", "::1"] }
        try await bob.start()
        try await alice.start()
        let port = try await bob.port()
        for (number, host) in ["127.0.0.1", "[::1]"].enumerated() {
            let call = CallID(.phone, UInt32(number + 1))
            try await alice.perform(
                .dial(call, target: "sip:bob@\(host):\(port)", account: Phone.account, MediaEndpoint(port: 4_000)))
            let theirs = try await bob.offered()
            try await bob.perform(.answer(theirs, MediaEndpoint(port: 5_000), awaitingACK: false))
            let plan = try await bob.answered()
            #expect(plan.remote.host == (number == 0 ? "127.0.0.1" : "::1"))
        }
        try await alice.close()
        try await bob.close()
    }
}

private final class Count: Sendable {
    let value = Mutex(0)
}
