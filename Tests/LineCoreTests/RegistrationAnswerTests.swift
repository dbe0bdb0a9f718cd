import Base
import LineCore
import SIPCore
import Testing

/// REGISTER responses of registrars beyond RFC 3261's examples.
@Suite("Registrars' responses")
struct RegistrationAnswerTests {
    /// A line over a stream, so only the grant decides when it registers again.
    private func ground(
        _ transport: Flow.Transport = .tcp, _ answer: @escaping (SIPRequest) -> SIPResponse?
    ) -> Ground {
        Ground(flows: [Ground.flow(transport)]) { request, _ in
            request.method == .register ? answer(request) : nil
        }
    }

    private static func success(
        _ request: SIPRequest, contacts: [String], expires: String? = nil, seen: String? = nil
    ) -> SIPResponse {
        var response = request.response(.ok, tag: "server")
        for contact in contacts { response.headers.append(.contact, contact) }
        response.headers[.expires] = expires
        if let seen { response.headers[.via] = response.headers[.via]?.replacing(";rport", with: seen) }
        return response
    }

    /// Seconds from each REGISTER to the next.
    private static func gaps(_ ground: Ground) -> [Double] {
        let times = ground.sent(.register).map(\.at)
        return zip(times, times.dropFirst()).map { ($1 - $0).milliseconds / 1_000 }
    }

    @Test(
        "the granted time is found in every place",
        arguments: [
            (["<sip:alice@198.51.100.7:40123>;expires=40"], nil), (["<sip:x@y;alias=1~2~1>;expires=40"], nil),
            (["<sip:alice@198.51.100.7>;expires=\"40\""], nil), (["<sip:alice@198.51.100.7>;EXPIRES=40"], nil),
            (["<sip:b@10.0.0.9>;expires=3600", "<sip:alice@198.51.100.7>;expires=40"], nil),
            (["<sip:b@10.0.0.9>;expires=3600, <sip:alice@198.51.100.7>;expires=40"], nil),
            (["<sip:b@10.0.0.9>;+sip.instance=\"<urn:uuid:9>\";expires=9", "<sip:x@y>;expires=40"], nil),
            (["<sip:b@10.0.0.9>;expires=9", "<sip:x@y>;+sip.instance=\"<urn:uuid:0>\";expires=40"], nil),
            ([], "40"), (["<sip:alice@198.51.100.7>"], "40"), (["*"], "40"), (["nobody;expires=9"], "40 ;x"),
            (["<sip:alice@198.51.100.7>;expires=40.5"], "40"),
        ] as [([String], String?)])
    func grantedTimeIsFoundInEveryPlace(contacts: [String], expires: String?) {
        var ground = ground { Self.success($0, contacts: contacts, expires: expires) }
        ground.run(.seconds(200))
        #expect(Self.gaps(ground).count >= 5 && Self.gaps(ground).allSatisfy { (26...30).contains($0) })
        #expect(ground.registrations == [.registering, .registered])
    }

    @Test("the binding at the mapped address counts as ours, whatever other devices have")
    func bindingAtMappedAddressCountsAsOursWhateverOtherDevicesHave() {
        var ground = ground {
            Self.success(
                $0, contacts: ["<sip:b@10.0.0.9>;expires=9", "<sip:alice@198.51.100.7:40123>;expires=40"],
                seen: ";received=198.51.100.7;rport=40123")
        }
        ground.run(.seconds(100))
        #expect(!Self.gaps(ground).isEmpty && Self.gaps(ground).allSatisfy { (26...30).contains($0) })
    }

    @Test("without a grant the requested time counts")
    func withoutGrantRequestedTimeCounts() {
        var ground = ground { Self.success($0, contacts: []) }
        ground.run(.seconds(1_000))
        #expect(Self.gaps(ground).allSatisfy { (390...450).contains($0) } && Self.gaps(ground).count == 2)
    }

    @Test(
        "another device's binding changes nothing",
        arguments: [
            "<sip:9901#1@10.0.0.9:5060>;expires=60", "<sip:Front Door@10.0.0.9:5060>", "<sip:1@10.0.0.9:5060:5060>",
            "<sip:1@10.0.0.9>;+sip.instance=<urn:uuid:1-2>", "<sip:1@10.0.0.9:5060>;expires=390,: <sip:r@x.invalid>",
            "<sip:1@[fe80::1%25eth0]:5060>;expires=60", "<sip:1@fe80::1:5060>", "J\u{FC} \"x <sip:1@10.0.0.9>",
            "nobody",
        ])
    func anotherDeviceBindingChangesNothing(contact: String) {
        var ground = ground { request in
            Self.success(request, contacts: [contact, (request.headers[.contact] ?? "") + ";expires=300"])
        }
        ground.run(.seconds(190))
        #expect(ground.registrations == [.registering, .registered] && ground.sent(.register).count == 1)
    }

    @Test(
        "Retry-After decides when to register again",
        arguments: [
            (503, "3", 3...3.4), (503, "120 (maintenance);duration=60", 120...132), (480, "40", 40...44),
            (500, "0", 2...2.3), (403, "4294967295", 1_800...1_980), (503, "soon", 15...30), (404, "20", 20...22),
        ] as [(Int, String, ClosedRange<Double>)])
    func retryAfterDecidesWhenToRegisterAgain(status: Int, value: String, pause: ClosedRange<Double>) {
        var ground = ground { request in
            var response = request.response(SIPStatus(status), tag: "server")
            response.headers[.retryAfter] = value
            return response
        }
        ground.run(.seconds(4_000))
        #expect(Self.gaps(ground).first.map { pause.contains($0) } == true)
        #expect(ground.sent(.register).count >= 3, "it goes on")
    }

    @Test(
        "refusals are retried every two minutes, a wrong password ever more rarely"
    )
    func refusalsAreRetriedEveryTwoMinutes() {
        for status in [403, 500, 503, 404] {
            var ground = ground { $0.response(SIPStatus(status), tag: "server") }
            ground.run(.seconds(3_600))
            #expect(Self.gaps(ground).allSatisfy { $0 <= 120 } && Self.gaps(ground).count >= 30)
            #expect(Self.gaps(ground).dropFirst(2).allSatisfy { $0 >= 60 })
        }
        var wrong = ground { $0.response(.unauthorized, tag: "server") }
        wrong.run(.seconds(3_600))
        #expect(Self.gaps(wrong).last.map { $0 >= 900 } == true)
        // A binding of one day is refreshed less eagerly.
        var long = Ground(Ground.account { $0.expires = 86_400 }, flows: [Ground.flow(.tcp)]) { request, _ in
            request.response(.forbidden, tag: "server")
        }
        long.run(.seconds(20_000))
        #expect(Self.gaps(long).last.map { $0 >= 900 } == true)
    }

    // MARK: A server that is gone, or has forgotten the line

    @Test("over UDP the line registers again within 90 s if the server has forgotten it")
    func overUDPLineRegistersAgainWithin90SIfServerHasForgottenIt() {
        for moment in 0..<10 {
            var isKnown = false
            var ground = ground(.udp) {
                isKnown = true
                return Ground.accept($0)
            }
            ground.run(.seconds(300 + 7 * moment))
            isKnown = false
            ground.run(.seconds(90))
            #expect(isKnown && ground.registrations == [.registering, .registered])
        }
    }

    @Test("over UDP a lost server is reported within 90 s, even if it answered only OPTIONS")
    func overUDPLostServerIsReportedWithin90S() {
        for moment in 0..<10 {
            let flow = Ground.flow(.udp)
            var ground = Ground(flows: [flow]) { request, _ in
                request.method == .options ? request.response(.unauthorized, tag: "server") : Ground.accept(request)
            }
            ground.run(.seconds(300 + 7 * moment))
            #expect(ground.registrations == [.registering, .registered] && ground.abandoned.isEmpty)
            #expect(ground.sent(.options).allSatisfy { !$0.request.headers.contains(.authorization) })
            ground.dead = [flow]
            ground.run(.seconds(90))
            #expect(ground.registrations.contains(.failed("the server does not answer")))
            ground.dead = []
            ground.run(.seconds(61))
            #expect(ground.registrations.last == .registered)
        }
    }

    @Test("a new NAT address is registered as soon as OPTIONS shows it")
    func newNATAddressIsRegisteredAsSoonAsOPTIONSShowsIt() {
        var port = 40_000
        var ground = Ground(flows: [Ground.flow(.udp)]) { request, _ in
            var response = Ground.accept(request)
            response.headers[.via] = response.headers[.via]?
                .replacing(";rport", with: ";received=203.0.113.5;rport=\(port)")
            return response
        }
        ground.run(.seconds(40))
        #expect(ground.sent(.register).count == 1 && ground.sent(.options).count == 1)
        port = 40_001
        ground.run(.seconds(30))
        #expect(ground.sent(.register).count == 2)
    }
}
