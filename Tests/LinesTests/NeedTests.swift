import Glibc
import LineCore
import Lines
import NIOCore
import NIOPosix
import SIPCore
import Testing

@Suite("Sockets that a line opens", .timeLimit(.minutes(5)))
struct NeedTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func takesConnections(_ port: Int) async -> Bool {
        do {
            try await ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: port).get().close().get()
            return true
        } catch {
            return false
        }
    }

    /// The server's next request.
    private func heard(_ server: StreamServer) async -> SIPRequest? {
        for await message in server.messages {
            if case .request(let request) = message { return request }
        }
        return nil
    }

    /// Nothing in this process listens there, tested by binding: a connection would disturb a listener.
    private func isFree(_ port: Int) async -> Bool {
        do {
            try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: port).get().close().get()
            return true
        } catch {
            return false
        }
    }

    @Test("a UDP account receives datagrams and accepts no connections")
    func udpAccountReceivesDatagramsAndAcceptsNoConnections() async throws {
        var isFree = false
        // Another test may have a listener whose port has the same number, but not again and again.
        for _ in 0..<3 where !isFree {
            let registrar = try await Registrar(on: loop)
            let phone = try await Phone(
                "alice", on: loop,
                account: .init(domain: "server.example", server: NextHop(host: "127.0.0.1", port: registrar.port)))
            try await phone.start()
            try await phone.registration(.registered)
            #expect(try await phone.leavesDatagrams() == false)
            isFree = await self.isFree(try await phone.port())
            try await phone.close()
            try await registrar.close()
        }
        #expect(isFree)
    }

    @Test(
        "a TCP account receives over its Contact's connection only",
        arguments: [false, true])
    func tcpAccountReceivesOverItsContactConnectionOnly(isChosenByName: Bool) async throws {
        let server = try await StreamServer(on: loop, answer: StreamServer.registrar)
        let names = try await NameServer(
            on: loop,
            [
                "_sip._tcp.d.example": [.srv(priority: 1, port: server.port, "a.example")],
                "a.example": [.a("127.0.0.1")],
            ])
        let home = LineConfiguration.Account(
            domain: "d.example",
            server: isChosenByName
                ? NextHop(host: "d.example", transport: nil)
                : NextHop(host: "127.0.0.1", port: server.port, transport: .tcp))
        let phone = try await Phone("alice", on: loop, account: home) { $0.nameServers = [names.address] }
        try await phone.start()
        try await phone.registration(.registered)
        let port = try await phone.port()
        let first = try #require(await heard(server))
        #expect(try first.headers.contacts.first?.uri.sip?.port.map(Int.init) == port)
        #expect(server.sources == [port])
        #expect(await takesConnections(port) == false)
        #expect(try await phone.leavesDatagrams())
        // A restored connection begins at the same port.
        try await server.hangUp()
        _ = await heard(server)
        #expect(server.sources == [port, port])
        try await phone.close()
        try await server.close()
        try await names.close()
    }

    @Test("an unregistered TCP account accepts its server's connection")
    func unregisteredTCPAccountAcceptsItsServerConnection() async throws {
        let home = LineConfiguration.Account(
            domain: "d.example", server: NextHop(host: "127.0.0.1", port: 9, transport: .tcp), registers: false)
        let phone = try await Phone("alice", on: loop, account: home)
        try await phone.start()
        let port = try await phone.port()
        #expect(await takesConnections(port))
        #expect(try await phone.leavesDatagrams())
        try await phone.close()
    }

    @Test(
        "a server that refuses connections is reported as such, not as untrusted",
        arguments: [Flow.Transport.tcp, .tls])
    func serverThatRefusesConnectionsIsReportedAsSuchNotAsUntrusted(transport: Flow.Transport) async throws {
        // Bound, and not listening.
        let descriptor = try SystemSocket.bound(.reserve, host: "127.0.0.1", port: 0)
        defer { close(descriptor) }
        let port = try SystemSocket.port(of: descriptor)
        let home = LineConfiguration.Account(
            domain: "d.example", server: NextHop(host: "127.0.0.1", port: port, transport: transport))
        let phone = try await Phone("alice", on: loop, account: home)
        try await phone.start()
        let failure = try await phone.failure()
        #expect(failure == "cannot connect to the server: Connection refused")
        #expect(try await phone.counters().untrusted == 0)
        try await phone.close()
    }

    @Test("an account for which DNS chooses UDP opens it then")
    func accountForWhichDNSChoosesUDPOpensItThen() async throws {
        let registrar = try await Registrar(on: loop)
        let names = try await NameServer(
            on: loop,
            [
                "_sip._udp.d.example": [.srv(priority: 1, port: registrar.port, "a.example")],
                "a.example": [.a("127.0.0.1")],
            ])
        let home = LineConfiguration.Account(domain: "d.example", server: NextHop(host: "d.example", transport: nil))
        let phone = try await Phone("alice", on: loop, account: home) { $0.nameServers = [names.address] }
        try await phone.start()
        try await phone.registration(.registered)
        #expect(try await phone.leavesDatagrams() == false)
        try await phone.close()
        try await registrar.close()
        try await names.close()
    }

    @Test("a directly called line accepts datagrams and connections")
    func directlyCalledLineAcceptsDatagramsAndConnections() async throws {
        let phone = try await Phone("alice", on: loop)
        try await phone.start()
        let port = try await phone.port()
        #expect(await takesConnections(port))
        #expect(try await phone.leavesDatagrams() == false)
        try await phone.close()
    }
}
