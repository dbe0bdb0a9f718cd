import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Server failover")
struct FailoverTests {
    private static let first = Ground.flow(.udp, 100)
    private static let second = Ground.flow(.udp, 101)

    /// A setup in which the first server does not work.
    private func ground(_ answer: @escaping (SIPRequest) -> SIPResponse?) -> Ground {
        Ground(flows: [Self.first, Self.second]) { request, flow in
            flow == Self.second ? Ground.accept(request) : answer(request)
        }
    }

    @Test("a server that answers 503 is skipped at once, for its Retry-After")
    func serverThatAnswers503IsSkippedAtOnceForItsRetryAfter() {
        var ground = ground { $0.response(.serviceUnavailable, tag: "busy") }
        #expect(ground.registrations == [.registering, .registered])
        #expect(ground.sent(.register).map(\.flow) == [Self.first, Self.second])
        ground.run(.seconds(3_000))
        #expect(ground.sent(.register).dropFirst(2).allSatisfy { $0.flow == Self.second })
    }

    @Test("a silent server is skipped after 64·T1")
    func silentServerIsSkippedAfter64T1() {
        var ground = ground { _ in nil }
        ground.run(.seconds(33))
        #expect(ground.registrations == [.registering, .registered])
        #expect(ground.sent(.register).last?.flow == Self.second)
    }

    @Test("a refused connection switches servers at once")
    func refusedConnectionSwitchesServersAtOnce() {
        var ground = Ground(flows: []) { request, _ in Ground.accept(request) }
        ground.refused = [Ground.flow(.tcp, 100)]
        ground.flows = [Ground.flow(.tcp, 100), Ground.flow(.tcp, 101)]
        ground.tell(.command(.reconnect(.direct)))
        #expect(ground.registrations.last == .registered)
        #expect(ground.requests.map(\.flow) == [Ground.flow(.tcp, 101)])
    }

    @Test("a registered phone calls, and stays registered, without a name server")
    func registeredPhoneCallsAndStaysRegisteredWithoutNameServer() {
        var ground = Ground()
        ground.flows = []
        ground.run(.seconds(4_000))
        #expect(ground.registrations == [.registering, .registered] && ground.sent(.register).count > 1)
        ground.invite()
        #expect(ground.sent(.invite).first?.flow == Ground.flow())
        // But not if the machine has no route.
        ground = Ground()
        (ground.flows, ground.why) = ([], "this machine has no route to it")
        ground.invite()
        #expect(ground.sent(.invite).isEmpty && ground.ends == [.unreachable])
    }

    @Test("any other response is final")
    func anyOtherResponseIsFinal() {
        let ground = ground { $0.response(.forbidden, tag: "no") }
        #expect(ground.registrations.last == .failed("the server says 403 Forbidden"))
        #expect(ground.requests.count == 1)
    }

    @Test("when no server is left the request fails, and the search starts again")
    func whenNoServerIsLeftRequestFailsAndSearchStartsAgain() {
        var ground = Ground(flows: [Self.first, Self.second]) { request, _ in
            request.response(.serviceUnavailable, tag: "busy")
        }
        #expect(ground.registrations.last == .failed("the server says 503 Service Unavailable"))
        #expect(ground.requests.count == 2)
        ground.answer = { request, _ in Ground.accept(request) }
        ground.run(.seconds(31))
        #expect(ground.registrations.last == .registered)
    }

    @Test("a call goes to the registered server, and to another one if that is busy")
    func callGoesToRegisteredServerAndToAnotherOneIfThatIsBusy() throws {
        var ground = ground { $0.response(.serviceUnavailable, tag: "busy") }
        ground.answer = { request, flow in
            guard request.method == .invite else { return Ground.accept(request) }
            return request.response(flow == Self.second ? .serviceUnavailable : .busyHere, tag: "x")
        }
        ground.invite()
        // The first one failed a moment ago: no server is left.
        #expect(ground.sent(.invite).map(\.flow) == [Self.second] && ground.ends == [.rejected(503)])
        ground.run(.seconds(301))
        let living = try #require(ground.sent(.register).last?.flow)
        ground.answer = { request, flow in
            guard request.method == .invite else { return Ground.accept(request) }
            return request.response(flow == living ? .serviceUnavailable : .busyHere, tag: "x")
        }
        ground.invite()
        let other = living == Self.first ? Self.second : Self.first
        #expect(ground.sent(.invite).map(\.flow) == [Self.second, living, other])
        #expect(ground.ends == [.rejected(503), .busyThere])
        let calls = ground.sent(.invite).suffix(2).map(\.request)
        #expect(calls.first?.headers[.callID] == calls.last?.headers[.callID])
        #expect(calls.first?.headers[.via] != calls.last?.headers[.via])
    }

    @Test("all servers of an account may call it, and no other host")
    func allServersOfAccountMayCallItAndNoOtherHost() {
        var ground = ground { $0.response(.serviceUnavailable, tag: "busy") }
        for last in [100, 101, 102] {
            let stranger = Stranger(.init("192.0.2.\(last)", 5060), callID: "call-\(last)")
            ground.tell(.received(stranger.invite().bytes, Ground.flow(.udp, last)))
        }
        #expect(ground.outputs.count { if case .event(.offered) = $0 { true } else { false } } == 2)
    }

    @Test("ringing at a skipped server does not affect the next one")
    func ringingAtSkippedServerDoesNotAffectNextOne() throws {
        var ground = Ground(flows: [Self.first, Self.second])
        ground.answer = { request, _ in request.method == .prack ? request.response(.ok) : nil }
        ground.invite()
        let stranger = Stranger(Self.first.remote)
        let invite = try #require(ground.sent(.invite).last)
        #expect(invite.flow == Self.first)
        ground.tell(
            .received(stranger.progress(.sessionProgress, to: invite.request, tag: "one", number: 10).bytes, Self.first)
        )
        ground.tell(.received(stranger.success(to: invite.request, tag: "one", .serviceUnavailable).bytes, Self.first))
        let second = try #require(ground.sent(.invite).last)
        #expect(second.flow == Self.second)
        ground.tell(
            .received(stranger.progress(.sessionProgress, to: second.request, tag: "one", number: 3).bytes, Self.second)
        )
        let acknowledged = ground.sent(.prack).compactMap { $0.request.headers[.rAck]?.split(separator: " ").first }
        #expect(acknowledged == ["10", "3"])
    }

    // MARK: Long requests

    private static let long = "sip:" + String(repeating: "b", count: 700) + "@far.example"

    @Test("a request too long for a datagram uses a stream to the same server")
    func requestTooLongForDatagramUsesStreamToSameServer() {
        var ground = Ground()
        ground.answer = { request, _ in request.response(.busyHere, tag: "x") }
        ground.invite(Self.long)
        #expect(ground.sent(.invite).map(\.flow) == [Ground.flow(.tcp).at(port: 5_060)])
        #expect(ground.sent(.invite).first?.request.headers[.via]?.hasPrefix("SIP/2.0/TCP ") == true)
        #expect(ground.ends == [.busyThere])
        ground.invite()
        #expect(ground.sent(.invite).last?.flow == Ground.flow())
    }

    @Test("the route and credentials that the server adds count towards the length")
    func routeAndCredentialsThatServerAddsCountTowardsLength() {
        let route = "<sip:" + String(repeating: "r", count: 700) + ".example;lr>"
        var routed = Ground { request, _ in
            request.method == .register
                ? Ground.accept(request, [(.serviceRoute, route)]) : request.response(.busyHere, tag: "x")
        }
        routed.invite()
        #expect(routed.sent(.invite).map(\.flow) == [Ground.flow(.tcp).at(port: 5_060)])

        let length = Self.room(besides: 100)
        // Its server accepts every registration, and challenges calls.
        var known = Self.inClear
        known.account?.realm = "example"
        var asked = Ground(known)
        asked.answer = { request, _ in
            guard !request.headers.contains(.proxyAuthorization) else { return request.response(.busyHere, tag: "x") }
            var response = request.response(.proxyAuthenticationRequired, tag: "x")
            response.headers[.proxyAuthenticate] = "Digest realm=\"example\", nonce=\"n1\", qop=\"auth\""
            return response
        }
        asked.invite("sip:" + String(repeating: "b", count: length) + "@far.example")
        #expect(asked.sent(.invite).map(\.flow.transport) == [.udp, .tcp] && asked.ends == [.busyThere])
    }

    /// Keys and codecs make an INVITE so long that nothing more fits into its datagram.
    private static var inClear: LineConfiguration {
        var configuration = Ground.account { $0.password = Redacted("sesame") }
        configuration.media.protection = .off
        configuration.media.codecs = [.opus]
        return configuration
    }

    /// The length of a user name that leaves so many bytes of the INVITE's datagram.
    private static func room(besides bytes: Int) -> Int {
        var ground = Ground(Self.inClear)
        ground.invite("sip:b@far.example")
        let length = ground.sent(.invite).first?.request.bytes.count ?? 0
        // The name is in the request line and in To. The Via, which is there already, was assumed longer.
        return max(1, (1_300 - 160 - bytes - length) / 2)
    }

    @Test("without a stream it is sent as a datagram, and the next one at once")
    func withoutStreamItIsSentAsDatagramAndNextOneAtOnce() {
        var ground = Ground()
        ground.refused = [Ground.flow(.tcp).at(port: 5_060)]
        ground.answer = { request, _ in request.response(.busyHere, tag: "x") }
        for _ in 0..<2 { ground.invite(Self.long) }
        #expect(ground.sent(.invite).map(\.flow) == [Ground.flow(), Ground.flow()])
        #expect(ground.ends == [.busyThere, .busyThere])
    }
}

extension Flow {
    fileprivate func at(port: UInt16) -> Flow { Flow(transport, local: local, remote: .init(remote.host, port)) }
}
