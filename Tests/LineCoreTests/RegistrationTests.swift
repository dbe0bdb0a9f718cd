import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("An account at a server")
struct RegistrationTests {
    static func account(
        registers: Bool = true, expires: UInt32 = 600, password: String = "sesame", realm: String? = nil
    ) -> LineConfiguration {
        LineConfiguration(
            user: "alice",
            account: .init(
                domain: "server.example", server: NextHop(host: "server.example"), password: Redacted(password),
                realm: realm, registers: registers, expires: expires, instance: "urn:uuid:0"))
    }

    static func states(_ world: World) -> [RegistrationState] {
        world.outputs(0).compactMap { if case .event(.registration(_, let state)) = $0 { state } else { nil } }
    }

    @Test("a line registers with credentials, refreshes in time, and unregisters", arguments: ["MD5", "SHA-256"])
    func lineRegistersWithCredentialsRefreshesInTimeAndUnregisters(algorithm: String) throws {
        var world = World()
        world.server = TestServer(algorithm: algorithm)
        world.add(Self.account())
        world.run(.seconds(1))
        #expect(Self.states(world) == [.registering, .registered])
        let requests = try #require(world.server?.requests)
        #expect(requests.count == 2)
        #expect(requests[0].headers[.contact] == "<sip:alice@192.0.2.1:5060>;+sip.instance=\"<urn:uuid:0>\";reg-id=1")
        #expect(requests[1].headers[.authorization]?.contains("algorithm=\(algorithm)") == true)
        #expect(requests[0].headers[.callID] == requests[1].headers[.callID])
        // Refreshed after at most 90 s, without a report.
        world.run(.seconds(2_400))
        let refreshes = try #require(world.server?.count(.register)) - 2
        #expect((26...31).contains(refreshes))
        #expect(Self.states(world).count == 2)
        world.command(0, .shutDown)
        world.run(.seconds(1))
        #expect(world.server?.isRegistered == false)
        #expect(world.outputs(0).last == .finished)
    }

    @Test("a shorter grant is refreshed sooner, and a server's minimum is followed")
    func shorterGrantIsRefreshedSoonerAndServerMinimumIsFollowed() {
        var world = World()
        world.server = TestServer(minimumExpires: 1_800, grantedExpires: 40)
        world.add(Self.account(expires: 60))
        world.run(.seconds(1))
        #expect(Self.states(world).last == .registered)
        #expect(world.server?.requests.last?.headers[.expires] == "1800")
        let before = world.server?.count(.register) ?? 0
        world.run(.seconds(120))
        #expect((world.server?.count(.register) ?? 0) - before == 4)
    }

    @Test("a wrong password is tried once, then again after growing pauses")
    func wrongPasswordIsTriedOnceThenAgainAfterGrowingPauses() {
        var world = World()
        world.server = TestServer()
        world.add(Self.account(password: "open"))
        world.run(.seconds(10))
        #expect(Self.states(world) == [.registering, .failed("the server says 401 Unauthorized")])
        #expect(world.server?.count(.register) == 2)
        world.run(.seconds(3_600))
        #expect((6...30).contains(world.server?.count(.register) ?? 0))
    }

    @Test("a silent server is retried until it answers; then the line is ready")
    func silentServerIsRetriedUntilItAnswersThenLineIsReady() {
        var world = World()
        world.server = TestServer(isSilent: true)
        world.add(Self.account())
        world.run(.seconds(40))
        #expect(Self.states(world) == [.registering, .failed("the server does not answer")])
        world.server?.isSilent = false
        world.run(.seconds(60))
        #expect(Self.states(world).suffix(2) == [.registering, .registered])
    }

    @Test("an unknown server name is looked up again")
    func unknownServerNameIsLookedUpAgain() {
        var world = World()
        world.add(
            LineConfiguration(user: "a", account: .init(domain: "d.example", server: NextHop(host: "nowhere.example"))))
        world.run(.seconds(1))
        #expect(Self.states(world) == [.registering, .failed("the server's address was not found")])
        world.run(.seconds(60))
        #expect(Self.states(world).count > 2)
    }

    @Test("a number is called and hung up through the account's server, with credentials")
    func numberIsCalledAndHungUpThroughAccountServerWithCredentials() {
        var world = World()
        world.server = TestServer()
        world.add(Self.account())
        world.run(.seconds(1))
        let leg = CallID(.phone, 1)
        world.command(0, .dial(leg, target: "+15551234", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        #expect(world.agreed(0, leg)?.remote.port == 9_000)
        #expect(world.server?.requests.last { $0.method == .invite }?.uri.text == "sip:+15551234@server.example")
        world.command(0, .end(leg))
        world.run(.seconds(1))
        #expect(world.ends(0, leg) == [.hungUpHere])
        #expect(world.server?.requests.last?.method == .bye)
        #expect(world.server?.requests.last?.headers.contains(.proxyAuthorization) == true)
        // CSeq rises with every attempt of a dialog.
        let numbers = world.server?.requests.filter { $0.method == .invite || $0.method == .bye }
            .compactMap { try? $0.headers.cSeq.number }
        #expect(numbers == numbers?.sorted() && Set(numbers ?? []).count == numbers?.count)
    }

    @Test("an account without registration is ready, and only its server may call it")
    func accountWithoutRegistrationIsReadyAndOnlyItsServerMayCallIt() {
        var world = World()
        world.server = TestServer()
        world.add(Self.account(registers: false))
        #expect(Self.states(world) == [.notNeeded])
        let stranger = Flow.Endpoint("203.0.113.9", 5060)
        world.carry(Stranger(stranger).invite().bytes, from: stranger, to: World.endpoint(0))
        world.run(.seconds(1))
        #expect(world.offeredLegs(0).isEmpty && Set(world.caughtStatuses) == [403])
        // As long as the refusal is remembered, the same call over another path would be a merged request.
        world.run(.seconds(40))
        let server = Stranger(World.serverEndpoint)
        world.carry(
            server.invite(asserting: "<sip:+1555@server.example>").bytes, from: World.serverEndpoint,
            to: World.endpoint(0))
        world.run(.seconds(1))
        #expect(world.offeredLegs(0).count == 1)
        #expect(world.callerIdentity(0)?.number == "+1555")
        #expect(world.server?.count(.register) == 0)
    }

    @Test("only the server's first realm is answered")
    func onlyServerFirstRealmIsAnswered() {
        var world = World()
        world.server = TestServer()
        world.add(Self.account(realm: "another"))
        world.run(.seconds(1))
        #expect(world.server?.requests.allSatisfy { !$0.headers.contains(.authorization) } == true)
        #expect(Self.states(world).last == .failed("the server says 401 Unauthorized"))
    }

    @Test("the password appears in no output of a line")
    func passwordAppearsInNoOutputOfLine() {
        var world = World()
        world.server = TestServer(password: "hunter2-sesame")
        world.add(Self.account(password: "hunter2-sesame"))
        world.run(.seconds(1))
        #expect(Self.states(world).last == .registered)
        var dumped = ""
        dump(world.lines[0], to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(!"\(world.said)".contains("hunter2"))
    }
}
