import Base
import LineCore
import SIPCore
import Testing

@Suite("Lines that change their account")
struct ReconfigureTests {
    private let bert = AccountCredentials(user: "bert", password: Redacted("hunter2"), callerName: "Bert")

    private func registered(_ server: TestServer = TestServer()) -> World {
        var world = World()
        world.server = server
        world.server?.others = ["bert": "hunter2", "carl": "pw"]
        var configuration = RegistrationTests.account()
        configuration.account?.authUser = "alice"
        world.add(configuration)
        world.run(.seconds(1))
        return world
    }

    @Test("the server unregisters the old account, then registers the new one, and calls use the new one")
    func serverUnregistersOldAccountThenRegistersNewOne() throws {
        var world = registered()
        #expect(world.server?.registered == ["alice"])
        world.command(0, .reconfigure(.direct, bert))
        #expect(RegistrationTests.states(world).last == .registering)
        world.run(.seconds(1))
        #expect(RegistrationTests.states(world).suffix(2) == [.registering, .registered])
        #expect(world.server?.registered == ["bert"])
        let requests = try #require(world.server?.requests)
        let order = try requests.map { try $0.headers.to.uri.sip?.user }
        #expect(order.firstIndex(of: "bert").map { $0 > (order.lastIndex(of: "alice") ?? 0) } == true)
        #expect(requests.last?.headers[.from]?.hasPrefix("\"Bert\" <sip:bert@server.example>") == true)

        world.command(0, .dial(CallID(.phone, 1), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        #expect(world.agreed(0, CallID(.phone, 1)) != nil)
        let invite = try #require(world.server?.requests.last { $0.method == .invite })
        #expect(try invite.headers.from.uri.sip?.user == "bert")
    }

    @Test("the new account registers although any one datagram is lost", arguments: 1...12)
    func newAccountRegistersAlthoughAnyOneDatagramIsLost(number: Int) {
        var world = registered()
        world.losing = [world.sent + number]
        world.command(0, .reconfigure(.direct, bert))
        world.run(.seconds(5))
        #expect(RegistrationTests.states(world).last == .registered)
        #expect(world.server?.registered.contains("bert") == true)
    }

    @Test("a server that does not confirm unregistering is waited for one second")
    func serverThatDoesNotConfirmUnregisteringIsWaitedForOneSecond() {
        var world = registered()
        world.server?.isSilent = true
        world.command(0, .reconfigure(.direct, bert))
        world.run(LineMachine.leaving)
        world.server?.isSilent = false
        world.run(.milliseconds(600))
        #expect(world.server?.registered == ["alice", "bert"])
        let leaving = world.server?.requests.filter { $0.headers[.expires] == "0" }
        #expect(leaving?.isEmpty == true, "the old one is not repeated any more")
    }

    @Test("a corrected password registers without waiting for the pause")
    func correctedPasswordRegistersWithoutWaitingForPause() {
        var world = World()
        world.server = TestServer()
        world.add(RegistrationTests.account(password: "wrong"))
        world.run(.seconds(1))
        #expect(RegistrationTests.states(world).last == .failed("the server says 401 Unauthorized"))
        world.command(0, .reconfigure(.direct, AccountCredentials(user: "alice", password: Redacted("sesame"))))
        world.run(.milliseconds(200))
        #expect(RegistrationTests.states(world).last == .registered)
    }

    @Test("of two changes in a row the last one counts")
    func ofTwoChangesInRowLastOneCounts() {
        var world = registered()
        world.command(0, .reconfigure(.direct, bert))
        world.command(0, .reconfigure(.direct, AccountCredentials(user: "carl", password: Redacted("pw"))))
        world.run(.seconds(2))
        #expect(world.server?.registered == ["carl"])
        #expect(RegistrationTests.states(world).filter { $0 == .registered }.count == 2)
    }

    @Test("a line without a server only changes its name")
    func lineWithoutServerOnlyChangesItsName() throws {
        var calls = Calls()
        calls.world.command(0, .reconfigure(.direct, bert))
        #expect(RegistrationTests.states(calls.world) == [.notNeeded, .notNeeded])
        calls.invite()
        calls.world.run(.seconds(1))
        #expect(calls.world.callerIdentity(1)?.number == "bert")
    }

    @Test("shutdown during unregistering sends one unregister request")
    func shutdownDuringUnregisteringSendsOneUnregisterRequest() {
        var world = registered()
        world.command(0, .reconfigure(.direct, bert))
        world.command(0, .shutDown)
        world.run(.seconds(60))
        #expect(world.server?.registered.isEmpty == true)
        #expect(world.outputs(0).filter { $0 == .finished }.count == 1)
        #expect(world.lines[0].deadline == nil)
    }

    @Test("an active call continues, and ends with its old identity")
    func activeCallContinuesAndEndsWithItsOldIdentity() throws {
        var world = registered()
        let leg = CallID(.phone, 1)
        world.command(0, .dial(leg, target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        world.command(0, .reconfigure(.direct, bert))
        world.run(.seconds(1))
        #expect(world.ends(0, leg).isEmpty)
        world.command(0, .end(leg))
        world.run(.seconds(1))
        let bye = try #require(world.server?.requests.last)
        #expect(bye.method == .bye)
        #expect(try bye.headers.from.uri.sip?.user == "alice")
        #expect(
            bye.headers[.proxyAuthorization]?.contains("username=\"alice\"") == true, "who is asked for the password")
        #expect(world.ends(0, leg) == [.hungUpHere])
        // The next call uses the new account.
        world.command(0, .dial(CallID(.phone, 2), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        world.command(0, .end(CallID(.phone, 2)))
        world.run(.seconds(1))
        #expect(world.server?.requests.last?.headers[.proxyAuthorization]?.contains("username=\"bert\"") == true)
    }

    // MARK: The identity that calls show

    private static let preferred = SIPHeaderName("P-Preferred-Identity")

    /// A registered line whose account has a name for authentication and an identity to show.
    private func identified() throws -> World {
        var world = World()
        world.server = TestServer()
        world.server?.others = ["bert": "hunter2", "alice-login": "sesame"]
        var configuration = RegistrationTests.account()
        configuration.displayName = "Alice"
        configuration.account?.authUser = "alice-login"
        configuration.preferredIdentity = try URI("sip:+4930100@server.example")
        world.add(configuration)
        world.run(.seconds(1))
        #expect(RegistrationTests.states(world).last == .registered)
        return world
    }

    /// What the INVITE of a call shows after the line has taken these credentials.
    private func shown(_ credentials: AccountCredentials, by world: inout World) throws -> (
        from: String?, number: String?
    ) {
        world.command(0, .reconfigure(.direct, credentials))
        world.run(.seconds(2))
        #expect(RegistrationTests.states(world).last == .registered)
        world.command(0, .dial(CallID(.phone, 1), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        world.command(0, .end(CallID(.phone, 1)))
        world.run(.seconds(1))
        let invite = try #require(world.server?.requests.last { $0.method == .invite })
        let from = invite.headers[.from].map { String($0.prefix { $0 != ";" }) }
        return (from, invite.headers[Self.preferred])
    }

    @Test("calls show the new account's name, and ask the server to show its number")
    func callsShowNewNameAndNumber() throws {
        var world = try identified()
        var bert = bert
        bert.callerNumber = "+49 (30) 105\r\nEvil: yes"
        let shown = try shown(bert, by: &world)
        #expect(shown.from == "\"Bert\" <sip:bert@server.example>")
        #expect(shown.number == "<sip:+4930105@server.example>", "only what can be dialled")
    }

    @Test("an account without a number shows neither the number nor the name of the one before")
    func accountWithoutNumberShowsNoFormerOne() throws {
        var world = try identified()
        let shown = try shown(AccountCredentials(user: "bert", password: Redacted("hunter2")), by: &world)
        #expect(shown.from == "<sip:bert@server.example>" && shown.number == nil)
    }

    @Test("the account's own user gets its configured identity and its name for authentication back")
    func ownUserGetsConfiguredIdentityBack() throws {
        for secret in ["sesame", ""] {
            var world = try identified()
            world.command(0, .reconfigure(.direct, bert))
            world.run(.seconds(1))
            let own = AccountCredentials(user: "alice", password: Redacted(secret))
            let shown = try shown(own, by: &world)
            #expect(shown.from == "\"Alice\" <sip:alice@server.example>")
            #expect(shown.number == "<sip:+4930100@server.example>")
            #expect(world.server?.registered == ["alice"])
        }
    }

    @Test(
        "the old account registers again from every state of the new one",
        arguments: [0, 30, 60, 90, 400, 3_000, 20_000], ["hunter2", "wrong"])
    func oldAccountRegistersAgain(milliseconds: Int, password: String) {
        var world = registered()
        world.command(0, .reconfigure(.direct, AccountCredentials(user: "bert", password: Redacted(password))))
        world.run(.milliseconds(milliseconds))
        world.command(0, .reconfigure(.direct, AccountCredentials(user: "alice", password: Redacted("sesame"))))
        world.run(.seconds(2))
        #expect(RegistrationTests.states(world).last == .registered)
        #expect(world.server?.registered == ["alice"])
    }

    @Test("the new password appears in no output")
    func newPasswordAppearsInNoOutput() {
        var world = registered()
        world.command(0, .reconfigure(.direct, bert))
        world.run(.seconds(1))
        var dumped = ""
        dump(world.lines[0], to: &dumped)
        #expect(
            !dumped.contains("hunter2")
                && !"\(world.said) \(LineCommand.reconfigure(.direct, bert))".contains("hunter2"))
    }
}
