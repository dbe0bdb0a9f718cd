import Base
import Bench
import LineCore
import Lines
import NIOCore
import NIOPosix
import Rig
import SIPCore
import Testing

@Suite("A line whose account moves to another server", .timeLimit(.minutes(5)))
struct MovedLineTests {
    private static let account = AccountID(1)
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func settings(_ user: String, _ registrar: Registrar, port: UInt16 = 0) -> LineSettings {
        LineSettings(
            configuration: LineConfiguration(
                Self.account, user: user,
                account: .init(domain: "server.example", server: NextHop(host: "127.0.0.1", port: registrar.port)),
                accepts: .anyone),
            addresses: ["127.0.0.1"], port: port)
    }

    private func move(_ phone: Phone, to registrar: Registrar, as user: String, port: UInt16 = 0) async throws {
        let credentials = AccountCredentials(user: user, password: Redacted("secret"))
        let settings = settings("alice", registrar, port: port)
        try await loop.submit { [lines = phone.lines] in
            lines.prepare(credentials, for: Self.account)
            lines.apply([Self.account: settings])
        }.get()
    }

    private func port(_ phone: Phone) async throws -> UInt16 {
        try await loop.submit { [lines = phone.lines] in lines.port(of: Self.account) }.get() ?? 0
    }

    /// The first server never answers the unregistration, which may not delay the second one.
    @Test func lineRegistersAtOnceAndOnlyWithTheCredentialsOfThatServer() async throws {
        let (first, second) = (try await Registrar(on: loop), try await Registrar(on: loop))
        let phone = try await Phone([Self.account: settings("alice", first)], on: loop)
        try await phone.start()
        try await phone.registration(of: Self.account, .registered)
        try await move(phone, to: second, as: "bert")
        var states: [RegistrationState] = []
        while states.last != .registered {
            states.append(
                try await phone.first { if case .registration(Self.account, let state) = $0 { state } else { nil } })
        }
        #expect(states == [.registering, .registered])
        #expect(first.users == ["alice"] && second.users == ["bert"])
        for _ in 0..<250 where first.unregisters == 0 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(first.unregisters > 0 && second.unregisters == 0)
        try await phone.perform(.shutDown)
        try await phone.finished()
        #expect(second.unregisters > 0)
        try await phone.close()
        for server in [first, second] { try await server.close() }
    }

    /// A switch may fail within a second, before the first server has answered.
    @Test func lineThatMovesBackIsRegisteredAtItsFirstServer() async throws {
        let (first, second) = (try await Registrar(on: loop), try await Registrar(on: loop))
        let phone = try await Phone([Self.account: settings("alice", first)], on: loop)
        try await phone.start()
        try await phone.registration(of: Self.account, .registered)
        try await move(phone, to: second, as: "bert")
        try await phone.registration(of: Self.account, .registered)
        try await move(phone, to: first, as: "alice")
        try await phone.registration(of: Self.account, .registered)
        #expect(first.users == ["alice", "alice"])
        // The line that left is gone: it repeats its unregistration no more.
        let before = first.unregisters
        for _ in 0..<250 where second.unregisters == 0 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(first.unregisters == before && second.unregisters > 0)
        try await phone.close()
        for server in [first, second] { try await server.close() }
    }

    @Test func callGoesOnAtTheServerThatTheAccountLeft() async throws {
        let (first, second) = (try await Registrar(on: loop), try await Registrar(on: loop))
        let phone = try await Phone([Self.account: settings("alice", first)], on: loop)
        let bob = try await Phone("bob", on: loop)
        try await phone.start()
        try await bob.start()
        try await phone.registration(of: Self.account, .registered)
        let before = try await port(phone)
        let call = CallID(.phone, 1)
        try await bob.perform(
            .dial(call, target: "sip:alice@127.0.0.1:\(before)", account: Phone.account, MediaEndpoint(port: 4_000)))
        let offered = try await phone.offered()
        try await move(phone, to: second, as: "bert")
        try await phone.registration(of: Self.account, .registered)
        let after = try await port(phone)
        #expect(after != before && second.users == ["bert"])
        try await phone.perform(.answer(offered, MediaEndpoint(port: 5_000), awaitingACK: false))
        _ = try await bob.answered()
        // A call of the line that replaced it is another one.
        let next = CallID(.phone, 2)
        try await bob.perform(
            .dial(next, target: "sip:alice@127.0.0.1:\(after)", account: Phone.account, MediaEndpoint(port: 4_002)))
        #expect(try await phone.offered().number > offered.number)
        try await phone.perform(.end(offered))
        #expect(try await phone.ended() == .hungUpHere)
        #expect(try await bob.ended() == .hungUpThere)
        #expect(second.unregisters == 0)
        try await phone.close()
        try await bob.close()
        for server in [first, second] { try await server.close() }
    }

    /// Whatever moves the line: without credentials for the new server, it uses those of its settings.
    @Test func credentialsOfOneServerNeverGoToAnother() async throws {
        let (first, second) = (try await Registrar(on: loop), try await Registrar(on: loop))
        let phone = try await Phone([Self.account: settings("alice", first)], on: loop)
        try await phone.start()
        try await phone.registration(of: Self.account, .registered)
        try await move(phone, to: second, as: "bert")
        try await phone.registration(of: Self.account, .registered)
        let back = settings("alice", first)
        try await loop.submit { [lines = phone.lines] in lines.apply([Self.account: back]) }.get()
        try await phone.registration(of: Self.account, .registered)
        #expect(first.users == ["alice", "alice"] && second.users == ["bert"])
        try await phone.close()
        for server in [first, second] { try await server.close() }
    }

    /// The line has a fixed port, and its first server does not answer any more.
    @Test func lineWithAPortGivesItUpWithinTheTimeOfASwitch() async throws {
        let (first, second) = (try await Registrar(on: loop), try await Registrar(on: loop))
        // The kernel gives it to no other test.
        let free: UInt16 = 27_432
        let phone = try await Phone([Self.account: settings("alice", first, port: free)], on: loop)
        try await phone.start()
        try await phone.registration(of: Self.account, .registered)
        try await first.close()
        let asked = MonotonicTime.now
        try await move(phone, to: second, as: "bert", port: free)
        try await phone.registration(of: Self.account, .registered)
        #expect(MonotonicTime.now - asked < .seconds(4))
        #expect(try await port(phone) == free && second.users == ["bert"])
        try await phone.close()
        try await second.close()
    }
}
