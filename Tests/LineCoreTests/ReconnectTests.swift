import Base
import LineCore
import SIPCore
import Testing

@Suite("Reconnecting lines")
struct ReconnectTests {
    @Test("a reconnect ends the pause, and the next pause is short again")
    func reconnectEndsPauseAndNextPauseIsShortAgain() {
        var world = World()
        world.server = TestServer(isSilent: true)
        world.add(RegistrationTests.account())
        world.run(.seconds(600))
        world.server?.isSilent = false
        #expect(RegistrationTests.states(world).last == .failed("the server does not answer"))
        world.command(0, .reconnect(.direct))
        world.run(.milliseconds(100))
        #expect(RegistrationTests.states(world).suffix(2) == [.registering, .registered])
        #expect(world.server?.isRegistered == true)
    }

    @Test("a disconnected line has no binding and sends no REGISTER until it reconnects")
    func disconnected() throws {
        var world = World.registered()
        world.command(0, .disconnect(.direct))
        world.run(.seconds(1))
        #expect(RegistrationTests.states(world) == [.registering, .registered, .disconnected])
        let last = try #require(world.server?.requests.last)
        #expect(try last.headers.expires == 0 || last.headers[.contact]?.contains("expires=0") == true)
        #expect(world.server?.isRegistered == false)
        let sent = world.server?.requests.count
        world.tell(0, .networkChanged)
        world.run(.seconds(7_200))
        #expect(world.server?.requests.count == sent)
        world.command(0, .reconnect(.direct))
        world.run(.seconds(1))
        #expect(RegistrationTests.states(world).suffix(2) == [.registering, .registered])
        #expect(world.server?.isRegistered == true)
    }

    @Test("a new attempt replaces a pending one: there is never more than one")
    func newAttemptReplacesPendingOneThereIsNeverMoreThanOne() throws {
        var world = World()
        world.add(RegistrationTests.account())
        world.run(.milliseconds(100))
        for _ in 0..<5 {
            world.command(0, .reconnect(.direct))
            world.run(.milliseconds(100))
        }
        world.server = TestServer()
        world.run(.seconds(3))
        // Only the last one is repeated, also after the challenge.
        let numbers = try #require(world.server?.requests.map { try $0.headers.cSeq.number })
        #expect(Set(numbers) == [6, 7])
        #expect(RegistrationTests.states(world).last == .registered)
    }

    @Test("a response to an abandoned attempt is ignored")
    func responseToAbandonedAttemptIsIgnored() throws {
        var world = World()
        world.server = TestServer(isSilent: true)
        world.server?.contact = World.serverEndpoint
        world.add(RegistrationTests.account())
        world.run(.milliseconds(10))
        let old = try #require(world.heard.last)
        world.command(0, .reconnect(.direct))
        guard case .request(let request) = try SIPMessage(old.span) else { throw CancellationError() }
        world.carry(request.response(.ok, tag: "late").bytes, from: World.serverEndpoint, to: World.endpoint(0))
        world.run(.milliseconds(100))
        #expect(RegistrationTests.states(world).last == .registering)
        #expect(world.outputs(0).contains(.dropped(.unmatchedResponse)))
    }

    @Test("a registered line registers again from its new address")
    func registeredLineRegistersAgainFromItsNewAddress() {
        var world = World.registered()
        world.move(0, to: "198.51.100.7")
        world.command(0, .reconnect(.direct))
        world.run(.seconds(1))
        #expect(
            RegistrationTests.states(world) == [.registering, .registered, .registering, .registered])
        #expect(world.server?.requests.last?.headers[.contact]?.hasPrefix("<sip:alice@198.51.100.7:5060>") == true)
        // Refreshed from there, too.
        world.run(.seconds(600))
        #expect(world.server?.requests.last?.headers[.contact]?.hasPrefix("<sip:alice@198.51.100.7:5060>") == true)
    }

    @Test("a line without registration reports its state again")
    func lineWithoutRegistrationReportsItsStateAgain() {
        for configuration in [Calls.direct("alice"), RegistrationTests.account(registers: false)] {
            var world = World()
            world.server = TestServer()
            world.add(configuration)
            world.run(.seconds(1))
            world.command(0, .reconnect(.direct))
            world.run(.seconds(1))
            #expect(RegistrationTests.states(world) == [.notNeeded, .notNeeded])
            #expect(world.server?.requests.isEmpty == true)
        }
    }

    @Test("without a path it fails at once and keeps retrying")
    func withoutPathItFailsAtOnceAndKeepsRetrying() {
        var world = World.registered()
        world.move(0, to: nil)
        world.command(0, .reconnect(.direct))
        #expect(RegistrationTests.states(world).last == .failed("the server's address was not found"))
        world.move(0, to: "198.51.100.7")
        world.run(.seconds(31))
        #expect(RegistrationTests.states(world).last == .registered)
    }

    @Test("the search that is already under way counts")
    func searchThatIsAlreadyUnderWayCounts() {
        var world = World()
        world.server = TestServer()
        world.isLocating = false
        world.add(RegistrationTests.account())
        world.command(0, .reconnect(.direct))
        world.command(0, .reconnect(.direct))
        world.isLocating = true
        world.run(.seconds(1))
        #expect(RegistrationTests.states(world).last == .registered)
        #expect(world.server?.requests.count == 2)
    }

    @Test("a shutdown starts nothing new")
    func shutdownStartsNothingNew() {
        var world = World.registered()
        world.command(0, .shutDown)
        world.command(0, .reconnect(.direct))
        world.command(0, .reconfigure(.direct, AccountCredentials(user: "bert", password: Redacted("x"))))
        world.run(.seconds(60))
        #expect(world.server?.isRegistered == false)
        #expect(world.outputs(0).last == .finished)
        #expect(world.lines[0].deadline == nil)
    }
}
