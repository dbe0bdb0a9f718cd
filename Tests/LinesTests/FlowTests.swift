import Base
import LineCore
import Lines
import NIOCore
import NIOPosix
import SIPCore
import Testing

@Suite("Two connections to a server with outbound", .timeLimit(.minutes(5)))
struct FlowTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private static let registrar: StreamServer.Answer = { request in
        var response = StreamServer.accept(request)
        response.headers.set(.require, tokens: ["outbound"])
        return [response.bytes]
    }

    /// The server's next requests of a method: their reg-ids.
    private func heard(_ server: StreamServer, _ method: SIPMethod, _ count: Int = 1) async -> [UInt32?] {
        var all: [UInt32?] = []
        for await message in server.messages {
            guard case .request(let request) = message, request.method == method else { continue }
            all.append((try? request.headers.contacts)?.first?.registrationID)
            if all.count == count { break }
        }
        return all
    }

    @Test("each place has a connection; only a closed one is restored, and calls use the other until then")
    func eachPlaceHasConnectionOnlyClosedOneIsRestored() async throws {
        let first = try await StreamServer(on: loop, answer: Self.registrar)
        let second = try await StreamServer(on: loop, host: "127.0.0.2", answer: Self.registrar)
        let names = try await NameServer(
            on: loop,
            [
                "_sip._tcp.d.example": [
                    .srv(priority: 1, port: first.port, "a.example"),
                    .srv(priority: 2, port: second.port, "b.example"),
                ],
                "a.example": [.a("127.0.0.1")], "b.example": [.a("127.0.0.2")],
            ])
        let home = LineConfiguration.Account(
            domain: "d.example", server: NextHop(host: "d.example", transport: .tcp), instance: "urn:uuid:0")
        let phone = try await Phone("alice", on: loop, account: home) { $0.nameServers = [names.address] }
        try await phone.start()
        try await phone.registration(.registered)
        #expect(await heard(first, .register) == [1])
        #expect(await heard(second, .register) == [2])
        #expect(first.connections == 1 && second.connections == 1)

        try await first.close()
        try await phone.perform(
            .dial(CallID(.phone, 1), target: "555", account: Phone.account, MediaEndpoint(port: 4_000)))
        #expect(await heard(second, .invite).count == 1)
        #expect(second.connections == 1)

        try await phone.perform(.shutDown)
        #expect(await heard(second, .register) == [2])
        try await phone.close()
        try await second.close()
        try await names.close()
    }
}
