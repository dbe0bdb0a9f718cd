import Base
import LineCore
import SIPCore
import Testing

@Suite("Lines after a network outage")
struct NetworkTests {
    private static let elsewhere = Flow(.udp, local: .init("198.51.100.7", 5060), remote: Ground.flow().remote)

    @Test("a returning path is used at once; until then the reason for its absence is reported once")
    func returningPathIsUsedAtOnce() {
        var ground = Ground(flows: [])
        for _ in 0..<30 {
            ground.run(.seconds(2))
            ground.tell(.networkChanged)
        }
        #expect(ground.registrations == [.registering, .failed("the server's address was not found")])
        ground.flows = [Ground.flow()]
        ground.tell(.networkChanged)
        #expect(ground.registrations.last == .registered)
        #expect(ground.sent(.register).count == 1)
    }

    /// The network has changed, and the server accepts no connection.
    private func deserted() -> Ground {
        let way = Ground.flow(.tcp)
        var ground = Ground(
            Ground.account { $0.server = NextHop(host: "server.example", transport: .tcp) }, flows: [way])
        ground.refused = [way]
        ground.tell(.networkChanged)
        return ground
    }

    @Test("a server that appears just after the local interface is found within seconds")
    func serverComesLater() {
        var ground = deserted()
        ground.run(.seconds(2.5))
        ground.refused = []
        ground.run(.seconds(1))
        #expect(ground.registrations.last == .registered)
    }

    @Test("an absent server is retried quickly only a few times")
    func absentServerIsRetriedQuicklyOnlyFewTimes() {
        var ground = deserted()
        let before = ground.refusals.count
        ground.run(.seconds(5))
        #expect(ground.refusals.count == before + 4)
        // Less time than a keep-alive takes.
        ground.run(.seconds(2))
        #expect(ground.refusals.count == before + 4, "from now on, the pauses are those of RFC 5626 §4.5")
    }

    @Test("a refusing server is not retried quickly")
    func refusingServerIsNotRetriedQuickly() {
        var ground = Ground { request, _ in request.response(.forbidden, tag: "server") }
        ground.tell(.networkChanged)
        let before = ground.sent(.register).count
        ground.run(.seconds(10))
        #expect(ground.sent(.register).count == before)
    }

    @Test("the path finder's reason is reported")
    func pathFinderReasonIsReported() {
        var ground = Ground(flows: [])
        ground.why = "the wire is out"
        ground.tell(.networkChanged)
        #expect(
            ground.registrations == [
                .registering, .failed("the server's address was not found"), .failed("the wire is out"),
            ])
    }

    @Test("a registered line registers its new address and keeps the old one for its calls")
    func otherAddress() throws {
        var ground = Ground()
        ground.flows = [Self.elsewhere]
        ground.tell(.networkChanged)
        let requests = ground.sent(.register)
        #expect(requests.count == 2)
        #expect(try requests.last?.request.headers.contacts.first?.uri.sip?.host == "198.51.100.7")
        #expect(ground.registrations == [.registering, .registered])
        // The next refresh is one, not two.
        ground.run(.seconds(100))
        #expect(ground.sent(.register).count == 3)
    }

    @Test("an attempt from a lost address is replaced by one from the new address")
    func attemptFromLostAddressIsReplacedByOneFromNewAddress() throws {
        var ground = Ground { _, _ in nil }
        ground.run(.seconds(3))
        let before = ground.requests.count
        ground.flows = [Self.elsewhere]
        ground.tell(.networkChanged)
        ground.run(.seconds(20))
        let hosts = try ground.requests.dropFirst(before).map { try $0.request.headers.topVia.host }
        #expect(Set(hosts) == ["198.51.100.7"] && hosts.count > 4)
    }

    @Test("an unsent datagram fails only its own request")
    func unsentDatagramFailsOnlyItsOwnRequest() throws {
        var ground = Ground { request, _ in request.method == .register ? Ground.accept(request) : nil }
        ground.invite()
        ground.tell(
            .command(
                .dial(CallID(.phone, 2), target: "sip:carol@far.example", account: .direct, MediaEndpoint(port: 4_002)))
        )
        let invites = ground.sent(.invite)
        #expect(invites.count == 2)
        // The bytes as sent; the trace shows them too.
        let first = try #require(invites.first?.request)
        ground.tell(.unsent(first.bytes, because: "Operation not permitted"))
        #expect(ground.ends == [.unreachable])
        ground.run(.seconds(5))
        #expect(ground.ends == [.unreachable])
    }

    @Test("a network change starts nothing while a line unregisters")
    func networkChangeStartsNothingWhileLineUnregisters() {
        var ground = Ground { request, _ in (try? request.headers.expires) == 0 ? nil : Ground.accept(request) }
        ground.tell(.command(.shutDown))
        let before = ground.sent(.register).count
        ground.tell(.networkChanged)
        #expect(ground.sent(.register).count == before)
    }

    @Test("a server reached over TLS is never contacted in clear, whatever DNS says")
    func serverReachedOverTLSIsNeverContactedInClearWhateverDNSSays() {
        let home = Ground.account { $0.server = NextHop(host: "server.example", transport: nil) }
        var ground = Ground(home, flows: [Ground.flow(.tls), Ground.flow(.udp)])
        #expect(ground.registrations.last == .registered)
        ground.flows = [Ground.flow(.udp), Ground.flow(.tcp)]
        ground.tell(.command(.reconnect(.direct)))
        ground.run(.seconds(60))
        #expect(ground.sent(.register).allSatisfy { $0.flow.transport == .tls })
        #expect(
            ground.registrations.last == .failed("the name service no longer offers TLS for the server"))
        ground.flows = [Ground.flow(.udp), Ground.flow(.tls)]
        ground.tell(.networkChanged)
        #expect(ground.registrations.last == .registered)
        #expect(ground.sent(.register).last?.flow.transport == .tls)
    }
}
