import Base
import LineCore
import SIPCore
import Testing

@Suite("Lines whose machine loses its way to the server and finds it again")
struct NetworkTests {
    private static let elsewhere = Flow(.udp, local: .init("198.51.100.7", 5060), remote: Ground.flow().remote)

    @Test("a way that is back is taken at once, and until then it is told once why there is none")
    func pathReturns() {
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

    /// The network has changed, and the server takes no connection.
    private func deserted() -> Ground {
        let way = Ground.flow(.tcp)
        var ground = Ground(
            Ground.account { $0.server = NextHop(host: "server.example", transport: .tcp) }, flows: [way])
        ground.refused = [way]
        ground.tell(.networkChanged)
        return ground
    }

    @Test("a server that comes up a moment after this machine's own interface is not missed for half a minute")
    func serverComesLater() {
        var ground = deserted()
        ground.run(.seconds(2.5))
        ground.refused = []
        ground.run(.seconds(1))
        #expect(ground.registrations.last == .registered)
    }

    @Test("a server that stays away is asked in a hurry only a few times")
    func serverStaysAway() {
        var ground = deserted()
        let before = ground.refusals.count
        ground.run(.seconds(5))
        #expect(ground.refusals.count == before + 4)
        // Less than a keep-alive takes.
        ground.run(.seconds(2))
        #expect(ground.refusals.count == before + 4, "from now on, the pauses are those of RFC 5626 §4.5")
    }

    @Test("a server that refuses is not asked in a hurry")
    func serverRefuses() {
        var ground = Ground { request, _ in request.response(.forbidden, tag: "server") }
        ground.tell(.networkChanged)
        let before = ground.sent(.register).count
        ground.run(.seconds(10))
        #expect(ground.sent(.register).count == before)
    }

    @Test("the reason that the finder of ways gives is what people are told")
    func reason() {
        var ground = Ground(flows: [])
        ground.why = "the wire is out"
        ground.tell(.networkChanged)
        #expect(
            ground.registrations == [
                .registering, .failed("the server's address was not found"), .failed("the wire is out"),
            ])
    }

    @Test("a line that is registered says where it is now, while it keeps the former place for its calls")
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

    @Test("an attempt from an address that is no more is given up for one from the new address")
    func whileAsking() throws {
        var ground = Ground { _, _ in nil }
        ground.run(.seconds(3))
        let before = ground.requests.count
        ground.flows = [Self.elsewhere]
        ground.tell(.networkChanged)
        ground.run(.seconds(20))
        let hosts = try ground.requests.dropFirst(before).map { try $0.request.headers.topVia.host }
        #expect(Set(hosts) == ["198.51.100.7"] && hosts.count > 4)
    }

    @Test("a datagram that was not sent fails its own request and no other one over its flow")
    func oneMessage() throws {
        var ground = Ground { request, _ in request.method == .register ? Ground.accept(request) : nil }
        ground.invite()
        ground.tell(
            .command(.invite(LegID(.local, 2), target: "sip:carol@far.example", media: LocalMedia(port: 4_002))))
        let invites = ground.sent(.invite)
        #expect(invites.count == 2)
        // The bytes as they left; the trace shows them too.
        let first = try #require(invites.first?.request)
        ground.tell(.unsent(first.bytes, because: "Operation not permitted"))
        #expect(ground.ends == [.unreachable])
        ground.run(.seconds(5))
        #expect(ground.ends == [.unreachable])
    }

    @Test("while a line takes its leave, a changed network begins nothing")
    func leaving() {
        var ground = Ground { request, _ in (try? request.headers.expires) == 0 ? nil : Ground.accept(request) }
        ground.tell(.command(.shutDown))
        let before = ground.sent(.register).count
        ground.tell(.networkChanged)
        #expect(ground.sent(.register).count == before)
    }

    @Test("a server that was spoken to over TLS is never spoken to in clear, whatever DNS says")
    func staysSecure() {
        let home = Ground.account { $0.server = NextHop(host: "server.example", transport: nil) }
        var ground = Ground(home, flows: [Ground.flow(.tls), Ground.flow(.udp)])
        #expect(ground.registrations.last == .registered)
        ground.flows = [Ground.flow(.udp), Ground.flow(.tcp)]
        ground.tell(.command(.reconnect))
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
