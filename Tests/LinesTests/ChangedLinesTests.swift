import Base
import Bench
import LineCore
import Lines
import NIOCore
import NIOPosix
import Rig
import SIPCore
import Testing

@Suite("Lines that change while the phone runs", .timeLimit(.minutes(5)))
struct ChangedLinesTests {
    private static let first = AccountID(1)
    private static let second = AccountID(2)
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func settings(_ user: String, _ registrar: Registrar? = nil, port: UInt16 = 0) -> LineSettings {
        let account = registrar.map {
            LineConfiguration.Account(domain: "server.example", server: NextHop(host: "127.0.0.1", port: $0.port))
        }
        return LineSettings(
            configuration: LineConfiguration(user: user, account: account, accepts: .anyone),
            addresses: ["127.0.0.1"], port: port)
    }

    private func apply(_ settings: [AccountID: LineSettings], to phone: Phone) async throws {
        try await loop.submit { [lines = phone.lines] in lines.apply(settings.named) }.get()
    }

    private func port(of account: AccountID, _ phone: Phone) async throws -> UInt16? {
        try await loop.submit { [lines = phone.lines] in lines.port(of: account) }.get()
    }

    /// The states that accounts report until the last of them is this one.
    private func states(_ phone: Phone, until last: (AccountID, RegistrationState)) async throws -> [AccountID] {
        var reporters: [AccountID] = []
        while true {
            let (account, state) = try await phone.first {
                if case .registration(let account, let state) = $0 { (account, state) } else { nil }
            }
            reporters.append(account)
            if (account, state) == last { return reporters }
        }
    }

    @Test func addedLineRegistersAndOtherLineIsNotTouched() async throws {
        let registrar = try await Registrar(on: loop)
        let phone = try await Phone([Self.first: settings("alice", registrar)], on: loop)
        try await phone.start()
        try await phone.registration(of: Self.first, .registered)
        let port = try await port(of: Self.first, phone)
        try await apply(
            [Self.first: settings("alice", registrar), Self.second: settings("bert", registrar)], to: phone)
        #expect(try await states(phone, until: (Self.second, .registered)).allSatisfy { $0 == Self.second })
        #expect(try await self.port(of: Self.first, phone) == port && registrar.unregisters == 0)
        try await phone.close()
        try await registrar.close()
    }

    @Test func removedLineUnregistersAndCallsNobody() async throws {
        let registrar = try await Registrar(on: loop)
        let both = [Self.first: settings("alice", registrar), Self.second: settings("bert", registrar)]
        let phone = try await Phone(both, on: loop)
        try await phone.start()
        _ = try await states(phone, until: (Self.second, .registered))
        try await apply([Self.second: settings("bert", registrar)], to: phone)
        for _ in 0..<250 where try await port(of: Self.first, phone) != nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        let left = try await port(of: Self.first, phone)
        #expect(left == nil && registrar.unregisters >= 1)
        let call = CallID(.phone, 1)
        try await phone.perform(.dial(call, target: "200", account: Self.first, MediaEndpoint(port: 4_000)))
        #expect(try await phone.ended() == .lineNotReady)
        // The end of the whole phone waits for no line that is gone.
        try await phone.perform(.shutDown)
        try await phone.finished()
        try await phone.close()
        try await registrar.close()
    }

    @Test func changedLineKeepsItsCallAndChangesAfterIt() async throws {
        let alice = try await Phone([Self.first: settings("alice")], on: loop)
        let bob = try await Phone([Self.first: settings("bob")], on: loop)
        try await alice.start()
        try await bob.start()
        let call = CallID(.phone, 1)
        let target = "sip:bob@127.0.0.1:\(try await port(of: Self.first, bob) ?? 0)"
        try await alice.perform(.dial(call, target: target, account: Self.first, MediaEndpoint(port: 4_000)))
        let theirs = try await bob.offered()
        var changed = settings("bob")
        changed.configuration.displayName = "Robert"
        try await apply([Self.first: changed], to: bob)
        try await bob.perform(.answer(theirs, MediaEndpoint(port: 5_000), awaitingACK: false))
        _ = try await alice.answered()
        let before = try await port(of: Self.first, bob)
        try await bob.perform(.end(theirs))
        #expect(try await bob.ended() == .hungUpHere)
        #expect(try await alice.ended() == .hungUpThere)
        // The new line reports that it needs no registration, as each line does at its start.
        try await bob.registration(of: Self.first, .notNeeded)
        let after = try await port(of: Self.first, bob)
        #expect(after != nil && after != before)
        // A call of the new line is another one.
        let again = "sip:bob@127.0.0.1:\(after ?? 0)"
        let next = CallID(.phone, 2)
        try await alice.perform(.dial(next, target: again, account: Self.first, MediaEndpoint(port: 4_002)))
        #expect(try await bob.offered().number == theirs.number + 1)
        try await alice.close()
        try await bob.close()
    }

    @Test func lineWaitsForItsPortAndOthersWork() async throws {
        let registrar = try await Registrar(on: loop)
        let holder = try await Phone([Self.first: settings("holder")], on: loop)
        try await holder.start()
        let taken = try await port(of: Self.first, holder) ?? 0
        let phone = try await Phone([Self.first: settings("alice", registrar)], on: loop)
        try await phone.start()
        try await phone.registration(of: Self.first, .registered)
        try await apply(
            [Self.first: settings("alice", registrar), Self.second: settings("bert", registrar, port: taken)],
            to: phone)
        let why = try await phone.failure()
        #expect(why.contains("port \(taken)") && why.contains("in use"))
        try await holder.close()
        #expect(try await states(phone, until: (Self.second, .registered)).allSatisfy { $0 == Self.second })
        try await phone.close()
        try await registrar.close()
    }

    /// The first account takes the place and the port of the direct line.
    @Test func lineTakesOverThePortOfAnotherWithoutAFailure() async throws {
        let registrar = try await Registrar(on: loop)
        // The kernel gives it to no other test.
        let free: UInt16 = 27_431
        let phone = try await Phone([AccountID.direct: settings("direct", port: free)], on: loop)
        try await phone.start()
        try await apply([Self.first: settings("alice", registrar, port: free)], to: phone)
        var states: [RegistrationState] = []
        while states.last != .registered {
            states.append(
                try await phone.first { if case .registration(Self.first, let state) = $0 { state } else { nil } })
        }
        #expect(states == [.registering, .registered])
        #expect(try await port(of: Self.first, phone) == free)
        try await phone.close()
        try await registrar.close()
    }

    @Test func changedLineUsesCredentialsOfItsOrganisation() async throws {
        let registrar = try await Registrar(on: loop)
        let phone = try await Phone([Self.first: settings("alice", registrar)], on: loop)
        try await phone.start()
        try await phone.registration(of: Self.first, .registered)
        let bert = AccountCredentials(user: "bert", password: Redacted("secret"))
        try await phone.perform(.reconfigure(Self.first, bert))
        try await phone.registration(of: Self.first, .registering)
        try await phone.registration(of: Self.first, .registered)
        var changed = settings("alice", registrar)
        changed.configuration.sessionExpires = 3_600
        try await apply([Self.first: changed], to: phone)
        try await phone.registration(of: Self.first, .registering)
        try await phone.registration(of: Self.first, .registered)
        #expect(registrar.users.last == "bert")
        try await phone.close()
        try await registrar.close()
    }

    /// A change of the account gives an attacker no second chance.
    @Test func changedLineKnowsWhatItsServerHasShown() async throws {
        let certificates = try Certificates()
        try certificates.make("server", "URI:sip:server.example, IP:127.0.0.1")
        let server = try await StreamServer(
            on: loop, tls: try certificates.context("server"), answer: StreamServer.registrar)
        let honest = try await names(.naptr(order: 1, service: "SIPS+D2T", "_sip.server.example"), server.port)
        let listener = try DatagramPeer()
        let forged = try await names(.naptr(order: 1, service: "SIP+D2U", "_sip.server.example"), listener.port)
        var settings = LineSettings(
            configuration: LineConfiguration(
                user: "alice",
                account: .init(domain: "server.example", server: NextHop(host: "server.example", transport: nil))),
            addresses: ["127.0.0.1"], port: 0, tls: TLSSettings(authorities: certificates.authority),
            nameServers: [honest.address])
        let phone = try await Phone([Self.first: settings], on: loop)
        try await phone.start()
        try await phone.registration(of: Self.first, .registered)
        settings.nameServers = [forged.address]
        try await apply([Self.first: settings], to: phone)
        #expect(try await phone.failure() == "the name service no longer offers TLS for the server")
        #expect(listener.heardSoFar().isEmpty)
        // A person who removes the account and adds it again wants to start again.
        try await apply([:], to: phone)
        for _ in 0..<250 where try await port(of: Self.first, phone) != nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await apply([Self.first: settings], to: phone)
        #expect(try listener.request(.register).headers[.via]?.contains("UDP") == true)
        try await phone.close()
        try await server.close()
        for names in [honest, forged] { try await names.close() }
    }

    private func names(_ pointer: NameServer.Record, _ port: UInt16) async throws -> NameServer {
        try await NameServer(
            on: loop,
            [
                "server.example": [pointer],
                "_sip.server.example": [.srv(priority: 1, port: port, "a.example")],
                "a.example": [.a("127.0.0.1")],
            ])
    }
}
