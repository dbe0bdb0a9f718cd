import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// The address of a stranger that has read every message of a call.
struct Elsewhere: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let endpoint: Flow.Endpoint
    var stream: World.Stream?

    static let all = [
        Elsewhere(testDescription: "another host", endpoint: .init("198.51.100.66", 5060)),
        Elsewhere(testDescription: "the far end's host, another port", endpoint: .init("203.0.113.9", 40_000)),
        Elsewhere(testDescription: "the server's host, another port", endpoint: World.beside),
        Elsewhere(
            testDescription: "a connection from the server's own address and port", endpoint: World.serverEndpoint,
            stream: .init(.tcp, opener: .peer)),
    ]
}

@Suite("Message sources of an account")
struct GateTests {
    private let leg = CallID(.line(.direct), 1)
    private let caller = Stranger(World.serverEndpoint)

    /// A line with an account, a call from behind its server, and the line's tag in it.
    private func called() throws -> (world: World, tag: String) {
        var world = World.registered()
        let tag = try world.answerServersCall(of: caller)
        return (world, tag)
    }

    private static let methods: [SIPMethod] = [
        .invite, .update, .bye, .info, .refer, .message, .notify, .prack, .options, .ack, .cancel,
    ]

    @Test(
        "a sender that is not on the call's path cannot act in it, even with its tags", arguments: Elsewhere.all,
        methods)
    func senderThatIsNotOnCallPathCannotActInItEvenWithItsTags(place: Elsewhere, method: SIPMethod) throws {
        var (world, tag) = try called()
        let before = world.outputs(0).count
        let isINFO = method == .info
        let forged = caller.request(
            method, sequence: method == .cancel || method == .ack ? 10 : 77,
            branch: method == .cancel ? "z9hG4bK-s1" : "z9hG4bK-forged", toTag: method == .cancel ? nil : tag,
            body: isINFO ? "Signal=5\r\nDuration=100\r\n" : Stranger.body,
            extra: [(.referTo, "<sip:009001234567@server.example>"), (.event, "message-summary")]
                + (isINFO ? [(.contentType, "application/dtmf-relay")] : []))
        world.carry(forged.bytes, from: place.endpoint, to: World.endpoint(0), over: place.stream)
        world.run(.seconds(3))
        let after = world.outputs(0).dropFirst(before).filter { output in
            switch output {
            case .dropped, .turnedAway, .event(.refused): false
            default: true
            }
        }
        #expect(after.isEmpty, "\(after)")
        // The call is unchanged: its caller hangs up.
        world.receiveFromServer(caller.request(.bye, sequence: 78, branch: "z9hG4bK-bye", toTag: tag))
        #expect(world.ends(0, leg) == [.hungUpThere])
    }

    @Test("a response from another source than the request's destination is dropped", arguments: Elsewhere.all)
    func responseFromAnotherSourceThanRequestDestinationIsDropped(place: Elsewhere) throws {
        var world = World.registered()
        world.server?.isSilent = true
        world.command(0, .dial(CallID(.phone, 1), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        let invite = try #require(world.requests(.invite).first?.request)
        for response in [
            caller.progress(to: invite, tag: "x"), caller.success(to: invite, tag: "x", body: Stranger.answer),
            invite.response(.busyHere, tag: "x"), caller.challenge(invite),
        ] {
            world.carry(response.bytes, from: place.endpoint, to: World.endpoint(0), over: place.stream)
            world.run(.milliseconds(50))
        }
        #expect(world.outputs(0).allSatisfy { if case .event(.ringing) = $0 { false } else { true } })
        #expect(world.agreed(0, CallID(.phone, 1)) == nil && world.ends(0, CallID(.phone, 1)).isEmpty)
        #expect(world.requests(.invite).allSatisfy { !$0.request.headers.contains(.proxyAuthorization) })
    }

    @Test("a TLS account accepts requests only over its own connection", arguments: Elsewhere.all + [.datagram])
    func tlsAccountAcceptsRequestsOnlyOverItsOwnConnection(place: Elsewhere) {
        var world = World.registered { $0.useTLS() }
        #expect(RegistrationTests.states(world).last == .registered)
        for method in Self.methods {
            let request = Stranger(World.serverEndpoint, callID: "call-\(method)").request(
                method, branch: "z9hG4bK-\(method)", body: Stranger.body)
            world.carry(request.bytes, from: place.endpoint, to: World.endpoint(0), over: place.stream)
            world.run(.milliseconds(100))
        }
        #expect(world.offeredLegs(0).isEmpty)
        #expect(world.caught.isEmpty, "nothing of the account's is answered in clear")
        #expect(
            world.outputs(0).contains { if case .event(.refused(_, _, .otherTransport)) = $0 { true } else { false } })
        // The server calls over the connection that it opened.
        world.carry(
            caller.invite().bytes, from: .init(World.serverEndpoint.host, 5061), to: World.endpoint(0),
            over: .init(.tls, opener: .us))
        world.run(.milliseconds(100))
        #expect(world.offeredLegs(0) == [leg])
    }

    @Test("a connection from the server's address and port, even over TLS, is not the server")
    func connectionFromServerAddressAndPortEvenOverTLSIsNotServer() {
        var world = World.registered { $0.useTLS() }
        let server = Flow.Endpoint(World.serverEndpoint.host, 5061)
        world.carry(caller.invite().bytes, from: server, to: World.endpoint(0), over: .init(.tls, opener: .peer))
        world.run(.milliseconds(100))
        #expect(world.offeredLegs(0).isEmpty)
    }

    @Test("a call whose far end has a clear address ends, with BYE through the server over TLS")
    func callWhoseFarEndHasClearAddressEnds() throws {
        var world = World.registered { $0.useTLS() }
        let server = Flow.Endpoint(World.serverEndpoint.host, 5061)
        var invite = caller.invite()
        invite.headers[.contact] = "<sip:mallory@198.51.100.66:5060;transport=udp>"
        world.carry(invite.bytes, from: server, to: World.endpoint(0), over: .init(.tls, opener: .us))
        world.run(.milliseconds(100))
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let tag = try #require(world.serversTag)
        let ack = caller.request(.ack, branch: "z9hG4bK-ack", toTag: tag)
        world.carry(ack.bytes, from: server, to: World.endpoint(0), over: .init(.tls, opener: .us))
        world.run(.milliseconds(100))
        world.command(0, .hold(leg, true))
        world.run(.seconds(3))
        #expect(world.ends(0, leg) == [.insecurePath])
        #expect(world.caught.isEmpty)
        #expect(world.requests(.invite).count { $0.request.headers.contains(.userAgent) } == 0)
        #expect(world.server?.count(.bye) == 1)
    }

    @Test("a UDP account is called only from the found addresses of its server")
    func udpAccountIsCalledOnlyFromFoundAddressesOfItsServer() {
        for place in Elsewhere.all {
            var world = World.registered()
            world.carry(caller.invite().bytes, from: place.endpoint, to: World.endpoint(0), over: place.stream)
            world.run(.milliseconds(100))
            #expect(world.offeredLegs(0).isEmpty, "\(place)")
        }
        var world = World.registered()
        world.receiveFromServer(caller.invite())
        #expect(world.offeredLegs(0) == [leg])
    }

    @Test("later DNS answers never move an account off TLS")
    func laterDNSAnswersNeverMoveAccountOffTLS() {
        let hop = NextHop(host: "server.example", transport: nil)
        var configuration = RegistrationTests.account()
        configuration.account?.server = hop
        let own = World.endpoint(0)
        var line = LineMachine(
            configuration: configuration, makeGenerator: { SeededGenerator(seed: 1) }, hashes: TestServer.hashes)
        _ = line.handle(.start, at: .zero)
        let secure = Flow(.tls, local: own, remote: .init("192.0.2.100", 5061))
        let clear = Flow(.udp, local: own, remote: .init("192.0.2.66", 5060))
        func sent(_ outputs: [LineOutput]) -> [Flow] {
            outputs.compactMap { if case .send(_, let flow) = $0 { flow } else { nil } }
        }
        #expect(sent(line.handle(.located(hop, [secure, clear]), at: .zero)) == [secure])
        // TLS fails, and nothing is tried in clear.
        #expect(sent(line.handle(.transportFailed(secure, because: "somebody else"), at: .zero)).isEmpty)
        _ = line.handle(.command(.reconnect(.direct)), at: .zero)
        #expect(sent(line.handle(.located(hop, [clear]), at: .zero)).isEmpty)
    }

    // MARK: Strangers

    @Test("a stranger gets at most as many bytes as it sent, once per message, and none for a long one")
    func strangerGetsAtMostAsManyBytesAsItSentOncePerMessage() {
        var world = World.registered()
        let stranger = Stranger()
        for method in Self.methods where method != .ack {
            let request = Stranger(callID: "s-\(method)").request(
                method, branch: "z9hG4bK-\(method)", extra: [(.maxForwards, "70")])
            world.caught = []
            world.carry(request.bytes, from: stranger.endpoint, to: World.endpoint(0))
            world.run(.seconds(40))
            #expect(world.caught.count <= 1, "\(method)")
            #expect(world.caught.reduce(0) { $0 + $1.bytes.count } <= request.bytes.count, "\(method)")
        }
        let long = stranger.request(
            .options, extra: [(.maxForwards, "70"), (.userAgent, String(repeating: "x", count: 5_000))])
        world.caught = []
        world.carry(long.bytes, from: stranger.endpoint, to: World.endpoint(0))
        world.run(.seconds(1))
        #expect(world.caught.isEmpty)
    }

    @Test("reports about strangers are bounded and give the reason")
    func reportsAboutStrangersAreBoundedAndGiveReason() {
        var world = World.registered()
        world.receiveCallsOfStrangers(100)
        let told = world.outputs(0).compactMap { output -> CallRefusal? in
            if case .event(.refused(_, _, let why)) = output { why } else { nil }
        }
        #expect(told.count == 10 && told.allSatisfy { $0 == .notAccepted })
        #expect(world.outputs(0).count { $0 == .dropped(.stranger) } == 100)
    }

    // MARK: Room

    @Test("unacknowledged calls that were hung up take no room")
    func unacknowledgedCallsThatWereHungUpTakeNoRoom() {
        var world = World.registered()
        for number in 0..<8 {
            let peer = Stranger(World.serverEndpoint, callID: "gone-\(number)")
            world.receiveFromServer(peer.request(.invite, branch: "z9hG4bK-\(number)", body: Stranger.body))
            let id = CallID(.line(.direct), UInt32(number + 1))
            world.command(0, .answer(id, MediaEndpoint(port: 4_000), awaitingACK: false))
            world.command(0, .end(id))
            world.run(.milliseconds(500))
        }
        world.receiveFromServer(Stranger(World.serverEndpoint, callID: "next").invite())
        #expect(world.offeredLegs(0).count == 9)
    }

    @Test("answers of ever more forks are bounded in number and bytes")
    func answersOfEverMoreForksAreBoundedInNumberAndBytes() throws {
        var world = World.registered()
        world.server?.isSilent = true
        world.command(0, .dial(CallID(.phone, 1), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        let invite = try #require(world.requests(.invite).first?.request)
        for number in 0..<200 {
            world.receiveFromServer(caller.success(to: invite, tag: "fork-\(number)", body: Stranger.answer))
        }
        #expect(world.requests(.ack).count == 16)
        #expect(world.outputs(0).contains(.dropped(.tooManyForks)))
        // The INVITE twice, 16 ACKs, and the BYEs to the other forks.
        #expect(world.lines[0].census.bytes < 65_536)
        world.run(.seconds(40))
        let after = world.lines[0].census
        #expect(after.acknowledgements == 0 && after.transactions <= 1 && after.bytes < 4_096, "\(after)")

        var fat = World.registered()
        fat.server?.isSilent = true
        fat.command(0, .dial(CallID(.phone, 1), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        fat.run(.milliseconds(100))
        let second = try #require(fat.requests(.invite).first?.request)
        let route = "<sip:192.0.2.100;lr;x=\(String(repeating: "a", count: 4_000))>"
        let answer = caller.success(
            to: second, tag: "fat", body: Stranger.answer, extra: [(.recordRoute, "\(route), \(route), \(route)")])
        fat.receiveFromServer(answer)
        #expect(fat.requests(.ack).isEmpty && fat.agreed(0, CallID(.phone, 1)) == nil)
    }
}

extension Elsewhere {
    fileprivate static let datagram = Elsewhere(
        testDescription: "the server's own address and port, by a datagram", endpoint: World.serverEndpoint)
}

extension LineConfiguration {
    /// The account registers at the server's TLS port.
    mutating func useTLS() {
        account?.server = NextHop(host: "server.example", transport: .tls)
        transport = .tls
    }
}

extension World {
    /// The server passes a message to the first line.
    mutating func receiveFromServer(_ request: SIPRequest) { receiveFromServer(request.bytes) }
    mutating func receiveFromServer(_ response: SIPResponse) { receiveFromServer(response.bytes) }

    private mutating func receiveFromServer(_ bytes: [UInt8]) {
        carry(bytes, from: Self.serverEndpoint, to: Self.endpoint(0), over: Self.stream(of: bytes))
        run(.milliseconds(50))
    }

    /// The tag that the first line gave to a call which came through the server.
    var serversTag: String? {
        heard.lazy.compactMap { bytes -> String? in
            guard case .response(let response)? = try? SIPMessage(bytes.span), response.status != .trying,
                response.headers[.cSeq]?.hasSuffix("INVITE") == true
            else { return nil }
            return try? response.headers.to.tag
        }.first
    }

    /// A caller behind the server calls the first line, which answers; the caller acknowledges.
    /// - Returns: The line's tag.
    mutating func answerServersCall(of caller: Stranger, body: String = Stranger.body) throws -> String {
        receiveFromServer(caller.request(.invite, body: body))
        command(0, .answer(CallID(.line(.direct), 1), MediaEndpoint(port: 4_000), awaitingACK: false))
        run(.milliseconds(100))
        let tag = try #require(serversTag)
        receiveFromServer(caller.request(.ack, branch: "z9hG4bK-ack", toTag: tag))
        return tag
    }
}
