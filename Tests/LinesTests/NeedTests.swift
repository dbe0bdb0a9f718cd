import Glibc
import LineCore
import Lines
import NIOCore
import NIOPosix
import PhoneCore
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

    /// The next request that a server hears.
    private func heard(_ server: StreamServer) async -> SIPRequest? {
        for await message in server.messages {
            if case .request(let request) = message { return request }
        }
        return nil
    }

    /// Nobody in this process listens there, as whoever would listen sees it: a connection would disturb whoever does.
    private func isFree(_ port: Int) async -> Bool {
        do {
            try await ServerBootstrap(group: loop).bind(host: "127.0.0.1", port: port).get().close().get()
            return true
        } catch {
            return false
        }
    }

    @Test("an account over UDP is heard there and takes no connections")
    func overUDP() async throws {
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
        "an account over TCP is heard over the connection that its Contact names, and nowhere else",
        arguments: [false, true])
    func overTCP(isChosenByName: Bool) async throws {
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
        // Broken and made again, the connection begins at the same port.
        try await server.hangUp()
        _ = await heard(server)
        #expect(server.sources == [port, port])
        try await phone.close()
        try await server.close()
        try await names.close()
    }

    @Test("an account over TCP that does not register takes the connection that its server makes")
    func withoutRegistration() async throws {
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
        "a server that takes no connection is said to take none, and is not distrusted",
        arguments: [Flow.Transport.tcp, .tls])
    func closedServer(transport: Flow.Transport) async throws {
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
    func chosenUDP() async throws {
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

    @Test("a line that is called directly takes datagrams and connections")
    func direct() async throws {
        let phone = try await Phone("alice", on: loop)
        try await phone.start()
        let port = try await phone.port()
        #expect(await takesConnections(port))
        #expect(try await phone.leavesDatagrams() == false)
        try await phone.close()
    }
}
