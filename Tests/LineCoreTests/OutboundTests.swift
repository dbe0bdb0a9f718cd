import Base
import LineCore
import SIPCore
import Testing

@Suite("Registrar options and broken flows")
struct OutboundTests {
    private func ground(_ configuration: LineConfiguration = Ground.account(), _ more: (SIPHeaderName, String)...)
        -> Ground
    {
        Ground(configuration, flows: [Ground.flow(.tcp)]) { request, _ in
            request.method == .register ? Ground.accept(request, more) : request.response(.busyHere, tag: "x")
        }
    }

    @Test("REGISTER names instance and flow, and lists the extensions")
    func registerNamesInstanceAndFlowAndListsExtensions() throws {
        let register = try #require(ground().requests.first?.request)
        #expect(try register.headers.tokens(.supported) == ["path", "outbound"])
        let contact = try #require(try register.headers.contacts.first)
        #expect(contact.instance == "urn:uuid:0" && contact.registrationID == 1)
        let nameless = ground(Ground.account { $0.instance = nil }).requests.first?.request
        #expect(try nameless?.headers.tokens(.supported) == ["path"])
        #expect(try nameless?.headers.contacts.first?.registrationID == nil)
    }

    @Test("a server without outbound is used without it")
    func serverWithoutOutboundIsUsedWithoutIt() {
        let ground = Ground { request, _ in
            (try? request.headers.contacts)?.first?.registrationID == nil
                ? Ground.accept(request) : request.response(SIPStatus(439), tag: "x")
        }
        #expect(ground.registrations == [.registering, .registered] && ground.requests.count == 2)
    }

    @Test("calls take the registrar's Service-Route")
    func callsTakeRegistrarServiceRoute() throws {
        var ground = ground(Ground.account(), (.serviceRoute, "<sip:a.example;lr>, <sip:b.example;lr>"))
        ground.invite()
        let routes = try #require(try ground.sent(.invite).first?.request.headers.routes)
        #expect(routes.map(\.uri.text) == ["sip:a.example;lr", "sip:b.example;lr"])
        // Registering does not.
        ground.run(.seconds(500))
        #expect(ground.sent(.register).allSatisfy { !$0.request.headers.contains(.route) })
    }

    @Test("calls use the registrar's GRUU if they asked for one")
    func callsUseRegistrarGRUUIfTheyAskedForOne() throws {
        for asks in [true, false] {
            var ground = Ground(Ground.account { $0.asksForGRUU = asks }) { request, _ in
                guard request.method == .register else { return request.response(.busyHere, tag: "x") }
                let own = request.headers[.contact] ?? ""
                return Ground.accept(
                    request,
                    [
                        (
                            .contact,
                            "<sip:other@192.0.2.9>;expires=9, \(own);expires=600;pub-gruu=\"sip:alice@server.example;gr=1\""
                        )
                    ])
            }
            ground.invite()
            let contact = try #require(try ground.sent(.invite).first?.request.headers.contacts.first)
            #expect(contact.uri.text == (asks ? "sip:alice@server.example;gr=1" : "sip:alice@192.0.2.1:5060"))
            #expect(try ground.requests.first?.request.headers.tokens(.supported).contains("gruu") == asks)
            // The refresh follows our own binding, not another phone's shorter one.
            ground.run(.seconds(70))
            #expect(ground.sent(.register).count == 1)
            ground.run(.seconds(25))
            #expect(ground.sent(.register).count == 2)
        }
    }

    @Test("with outbound, Contact asks for calls over the flow")
    func withOutboundContactAsksForCallsOverFlow() throws {
        var ground = ground(Ground.account(), (.require, "outbound"))
        ground.invite()
        let contact = try #require(try ground.sent(.invite).first?.request.headers.contacts.first)
        #expect(contact.uri.sip?.prefersItsFlow == true)
    }

    @Test("refreshes come early and with jitter")
    func refreshesComeEarlyAndWithJitter() {
        var times: Set<Int64> = []
        for seed in 1...20 {
            var ground = Ground(seed: UInt64(seed) * 100)
            ground.run(.seconds(500))
            let refresh = ground.sent(.register).dropFirst().first?.at.nanoseconds ?? 0
            #expect((78...90).contains(refresh / 1_000_000_000))
            times.insert(refresh)
        }
        #expect(times.count > 15)
    }

    @Test("a closed connection is restored at once")
    func closedConnectionIsRestoredAtOnce() {
        var ground = ground()
        ground.run(.seconds(100))
        ground.tell(.transportFailed(Ground.flow(.tcp)))
        ground.run(.milliseconds(501))
        #expect(ground.sent(.register).count == 2 && ground.registrations == [.registering, .registered])
    }

    @Test("a server that accepts and drops connections is retried ever more rarely")
    func circle() {
        var ground = ground()
        for _ in 0..<3_600 {
            ground.run(.seconds(1))
            ground.tell(.transportFailed(Ground.flow(.tcp)))
        }
        #expect((5...40).contains(ground.sent(.register).count))
    }

    @Test("a sips address requires TLS on every hop, including the first")
    func sipsAddressRequiresTLSOnEveryHopIncludingFirst() {
        for (transport, ends) in [(Flow.Transport.udp, [EndReason.invalidTarget]), (.tls, [])] {
            let home = Ground.account { $0.server = NextHop(host: "server.example", transport: transport) }
            var ground = Ground(home, flows: [Ground.flow(transport)]) { request, _ in
                request.method == .register ? Ground.accept(request) : nil
            }
            ground.invite("sips:bob@far.example")
            #expect(ground.ends == ends && ground.sent(.invite).count == 1 - ends.count)
        }
    }

    @Test("a TLS call stays on TLS if the far end names no transport")
    func tlsCallStaysOnTLSIfFarEndNamesNoTransport() throws {
        var home = Ground.account { $0.server = NextHop(host: "server.example", transport: .tls) }
        home.transport = .tls
        var ground = Ground(home, flows: [Ground.flow(.tls)])
        ground.tell(.received(Stranger(.init("192.0.2.100", 5061)).invite().bytes, Ground.flow(.tls)))
        ground.tell(.command(.answer(CallID(.line(.direct), 1), MediaEndpoint(port: 4_000), awaitingACK: false)))
        let ack = Stranger(.init("192.0.2.100", 5061)).request(.ack, branch: "z9hG4bK-a", toTag: ground.tag)
        ground.tell(.received(ack.bytes, Ground.flow(.tls)))
        ground.tell(.command(.end(CallID(.line(.direct), 1))))
        #expect(ground.located.last == NextHop(host: "192.0.2.100", port: 5061, transport: .tls))
        #expect(ground.sent(.bye).count == 1)
    }

    @Test("a connection to another host may close without effect")
    func connectionToAnotherHostMayCloseWithoutEffect() {
        var ground = ground()
        ground.tell(.transportFailed(Ground.flow(.tcp, 66)))
        ground.run(.seconds(60))
        #expect(ground.sent(.register).count == 1)
    }
}
