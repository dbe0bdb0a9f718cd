import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Servers that fail, and others that stand for them")
struct FailoverTests {
    private static let first = Ground.flow(.udp, 100)
    private static let second = Ground.flow(.udp, 101)

    /// A ground on which the first server does not work.
    private func ground(_ answer: @escaping (SIPRequest) -> SIPResponse?) -> Ground {
        Ground(flows: [Self.first, Self.second]) { request, flow in
            flow == Self.second ? Ground.accept(request) : answer(request)
        }
    }

    @Test("a server that says 503 is left for the next one, at once and for its time")
    func unavailable() {
        var ground = ground { $0.response(.serviceUnavailable, tag: "busy") }
        #expect(ground.registrations == [.registering, .registered])
        #expect(ground.sent(.register).map(\.flow) == [Self.first, Self.second])
        ground.run(.seconds(3_000))
        #expect(ground.sent(.register).dropFirst(2).allSatisfy { $0.flow == Self.second })
    }

    @Test("a server that is silent is left after 64·T1")
    func silent() {
        var ground = ground { _ in nil }
        ground.run(.seconds(33))
        #expect(ground.registrations == [.registering, .registered])
        #expect(ground.sent(.register).last?.flow == Self.second)
    }

    @Test("a connection that cannot be had is no reason to wait")
    func refused() {
        var ground = Ground(flows: []) { request, _ in Ground.accept(request) }
        ground.refused = [Ground.flow(.tcp, 100)]
        ground.flows = [Ground.flow(.tcp, 100), Ground.flow(.tcp, 101)]
        ground.tell(.command(.reconnect))
        #expect(ground.registrations.last == .registered)
        #expect(ground.requests.map(\.flow) == [Ground.flow(.tcp, 101)])
    }

    @Test("a phone that is registered calls, and stays registered, while no name server answers")
    func silentNames() {
        var ground = Ground()
        ground.flows = []
        ground.run(.seconds(4_000))
        #expect(ground.registrations == [.registering, .registered] && ground.sent(.register).count > 1)
        ground.invite()
        #expect(ground.sent(.invite).first?.flow == Ground.flow())
        // But not where the machine says that it has no route.
        ground = Ground()
        (ground.flows, ground.why) = ([], "this machine has no route to it")
        ground.invite()
        #expect(ground.sent(.invite).isEmpty && ground.ends == [.unreachable])
    }

    @Test("any other answer is an answer")
    func answered() {
        let ground = ground { $0.response(.forbidden, tag: "no") }
        #expect(ground.registrations.last == .failed("the server says 403 Forbidden"))
        #expect(ground.requests.count == 1)
    }

    @Test("when none is left it failed, and is tried again from the beginning")
    func none() {
        var ground = Ground(flows: [Self.first, Self.second]) { request, _ in
            request.response(.serviceUnavailable, tag: "busy")
        }
        #expect(ground.registrations.last == .failed("the server says 503 Service Unavailable"))
        #expect(ground.requests.count == 2)
        ground.answer = { request, _ in Ground.accept(request) }
        ground.run(.seconds(31))
        #expect(ground.registrations.last == .registered)
    }

    @Test("a call goes where the line is registered, and elsewhere when that server is busy")
    func call() throws {
        var ground = ground { $0.response(.serviceUnavailable, tag: "busy") }
        ground.answer = { request, flow in
            guard request.method == .invite else { return Ground.accept(request) }
            return request.response(flow == Self.second ? .serviceUnavailable : .busyHere, tag: "x")
        }
        ground.invite()
        // The first failed a moment ago: nobody is left.
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

    @Test("the servers of an account may all call it, and nobody else")
    func accepted() {
        var ground = ground { $0.response(.serviceUnavailable, tag: "busy") }
        for last in [100, 101, 102] {
            let stranger = Stranger(.init("192.0.2.\(last)", 5060), callID: "call-\(last)")
            ground.tell(.received(stranger.invite().bytes, Ground.flow(.udp, last)))
        }
        #expect(ground.outputs.count { if case .offered = $0 { true } else { false } } == 2)
    }

    @Test("what rang at a server that is left has no part in what the next one does")
    func ringing() throws {
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

    @Test("a request that is too long for a datagram takes a stream to the same server")
    func stream() {
        var ground = Ground()
        ground.answer = { request, _ in request.response(.busyHere, tag: "x") }
        ground.invite(Self.long)
        #expect(ground.sent(.invite).map(\.flow) == [Ground.flow(.tcp).at(port: 5_060)])
        #expect(ground.sent(.invite).first?.request.headers[.via]?.hasPrefix("SIP/2.0/TCP ") == true)
        #expect(ground.ends == [.busyThere])
        ground.invite()
        #expect(ground.sent(.invite).last?.flow == Ground.flow())
    }

    @Test("what the server adds counts: the way that it gave, and the answer to its challenge")
    func grown() {
        let route = "<sip:" + String(repeating: "r", count: 700) + ".example;lr>"
        var routed = Ground { request, _ in
            request.method == .register
                ? Ground.accept(request, [(.serviceRoute, route)]) : request.response(.busyHere, tag: "x")
        }
        routed.invite()
        #expect(routed.sent(.invite).map(\.flow) == [Ground.flow(.tcp).at(port: 5_060)])

        let length = Self.room(besides: 100)
        // Its server registers whoever comes, and asks who calls.
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

    /// How long a user may be for an INVITE that leaves so many bytes of a datagram.
    private static func room(besides bytes: Int) -> Int {
        var ground = Ground(Self.inClear)
        ground.invite("sip:b@far.example")
        let length = ground.sent(.invite).first?.request.bytes.count ?? 0
        // It stands in the request line and in To. Of the Via, which is there already, more was assumed.
        return max(1, (1_300 - 160 - bytes - length) / 2)
    }

    @Test("where there is no stream it goes as a datagram after all, and the next one does at once")
    func noStream() {
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
