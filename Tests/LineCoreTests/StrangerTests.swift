import Base
import LineCore
import SDPCore
import SIPCore
import Testing

struct OddRequest: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let request: SIPRequest
    let status: Int
    var header: SIPHeaderName?
}

@Suite("Hostile peers")
struct StrangerTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    private func world(_ configuration: LineConfiguration = Calls.direct("alice")) -> World {
        var world = World()
        world.add(configuration)
        return world
    }

    /// A call of the stranger to the first line, answered and acknowledged.
    private func connected(_ configuration: LineConfiguration = Calls.direct("alice")) throws -> World {
        var world = world(configuration)
        world.server = TestServer()
        world.run(.seconds(1))
        _ = try world.answerCall(of: stranger)
        return world
    }

    private static let odd: [OddRequest] = {
        let peer = Stranger()
        return [
            .init(testDescription: "options", request: peer.request(.options), status: 200, header: .allow),
            .init(testDescription: "subscribe", request: peer.request(.subscribe), status: 405, header: .allow),
            .init(testDescription: "unknown", request: peer.request(SIPMethod("DANCE")), status: 501, header: .allow),
            .init(testDescription: "bye", request: peer.request(.bye), status: 481),
            .init(testDescription: "in no dialog", request: peer.request(.options, toTag: "x"), status: 481),
            .init(testDescription: "re-INVITE of no call", request: peer.request(.invite, toTag: "x"), status: 481),
            .init(
                testDescription: "required extension",
                request: peer.request(.invite, body: Stranger.body, extra: [(.require, "precondition, timer")]),
                status: 420,
                header: .unsupported),
            .init(
                testDescription: "another body",
                request: peer.request(.invite, body: "hello", extra: [(.contentType, "text/plain")]), status: 415,
                header: .accept),
            .init(testDescription: "broken body", request: peer.invite(body: "v=1\r\n"), status: 400),
            .init(
                testDescription: "no common codec",
                request: peer.invite(body: Stranger.body.replacing("opus", with: "speex")), status: 488),
            .init(
                testDescription: "another scheme",
                request: peer.request(.invite, uri: "im:alice", body: Stranger.body), status: 416),
            .init(
                testDescription: "another scheme, and no call",
                request: peer.request(.options, uri: "nobodyKnowsThis:x"),
                status: 416),
            .init(
                testDescription: "a method that begins with no letter",
                request: peer.request(SIPMethod("!interesting-Method0123456789_*+`.%indeed'~")), status: 501,
                header: .allow),
            .init(
                testDescription: "an answer that may not be a session description",
                request: peer.request(.invite, body: Stranger.body, extra: [(.accept, "text/nobodyKnowsThis")]),
                status: 406),
            .init(
                testDescription: "nothing may be an answer",
                request: peer.request(.invite, body: Stranger.body, extra: [(.accept, "application/sdp;q=0")]),
                status: 406),
            .init(
                testDescription: "nobody in From",
                request: peer.request(.invite, body: Stranger.body, extra: [(.from, "nobody;tag=1")]), status: 400),
        ]
    }()

    @Test("malformed requests get their RFC's answer, and no phone rings", arguments: odd)
    func malformedRequestsGetTheirRFCAnswerAndNoPhoneRings(_ odd: OddRequest) {
        var world = world()
        world.receive(odd.request.bytes, from: stranger)
        #expect(world.caughtStatuses == [odd.status])
        if let header = odd.header { #expect(world.caughtMessages[0].headers.contains(header)) }
        #expect(world.offeredLegs(0).isEmpty)
    }

    @Test("a listed peer may call, another may not")
    func listedPeerMayCallAnotherMayNot() {
        for (accepts, isOffered) in [
            (LineConfiguration.Accepts.listed([stranger.endpoint.host]), true), (.listed(["192.0.2.7"]), false),
            (.ownServerOnly, false),
        ] {
            var world = world(Calls.direct("alice", accepts: accepts))
            world.receive(stranger.invite().bytes, from: stranger)
            #expect(world.offeredLegs(0).count == (isOffered ? 1 : 0))
        }
    }

    @Test("the same call over two paths is offered once (merged request)")
    func sameCallOverTwoPathsIsOfferedOnce() {
        var world = world()
        world.receive(stranger.invite().bytes, from: stranger)
        world.receive(stranger.request(.invite, branch: "z9hG4bK-other", body: Stranger.body).bytes, from: stranger)
        #expect(world.offeredLegs(0).count == 1)
        #expect(world.caughtStatuses.contains(482))
    }

    @Test("a flood of calls is limited by legs and rate")
    func floodOfCallsIsLimitedByLegsAndRate() {
        var world = world()
        world.receiveCallsOfStrangers(200)
        #expect(world.offeredLegs(0).count == 8)
        #expect(Set(world.caughtStatuses) == [486])
    }

    @Test("a call without an offer gets ours, and is up with the ACK")
    func callWithoutOfferGetsOursAndIsUpWithACK() throws {
        for (body, isAnswered) in [(Stranger.body, true), ("", false)] {
            var world = world()
            world.receive(stranger.request(.invite).bytes, from: stranger)
            world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
            world.run(.milliseconds(100))
            #expect(world.agreed(0, leg) == nil)
            let tag = try #require(world.tagForStranger)
            let offer = try #require(world.caughtMessages.last?.body)
            #expect(try SessionDescription(parsing: offer).media[0].port == 4_000)
            let answer = Stranger.answer(body)
            world.receive(
                stranger.request(.ack, branch: "z9hG4bK-ack", toTag: tag, body: answer).bytes, from: stranger)
            #expect((world.agreed(0, leg) != nil) == isAnswered)
            world.run(.seconds(3))
            #expect(world.ends(0, leg) == (isAnswered ? [] : [.incompatible]))
            #expect(world.caughtRequests.contains { $0.method == .bye } == !isAnswered)
        }
    }

    @Test("a 2xx without ACK is repeated, then the call ends with BYE")
    func noACK() {
        var world = world()
        world.receive(stranger.invite().bytes, from: stranger)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.seconds(40))
        #expect(world.caughtStatuses.count { $0 == 200 } > 8)
        #expect(world.caughtRequests.first?.method == .bye)
        #expect(world.ends(0, leg) == [.unreachable])
    }

    @Test("BYE before the ACK of our 2xx waits for it")
    func byeBeforeACKOfOur2xxWaitsForIt() throws {
        var world = world()
        world.receive(stranger.invite().bytes, from: stranger)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.command(0, .end(leg))
        world.run(.seconds(1))
        #expect(world.caughtRequests.isEmpty)
        let ack = stranger.request(.ack, branch: "z9hG4bK-ack", toTag: world.tagForStranger)
        world.receive(ack.bytes, from: stranger)
        #expect(world.caughtRequests.map(\.method).first == .bye)
    }

    @Test("in a call old numbers get 500, unknown methods 501, a late offer ours, and BYE 200")
    func inCallOldNumbersGet500UnknownMethods501LateOfferOurs() throws {
        var world = try connected()
        let tag = try #require(world.tagForStranger)
        func inside(_ method: SIPMethod, _ sequence: UInt32, body: String = "") -> [UInt8] {
            stranger.request(method, sequence: sequence, branch: "z9hG4bK-\(sequence)\(method)", toTag: tag, body: body)
                .bytes
        }
        world.receive(inside(.options, 11), from: stranger)
        world.receive(inside(.options, 5), from: stranger)
        world.receive(inside(.info, 12), from: stranger)
        world.receive(inside(SIPMethod("DANCE"), 13), from: stranger)
        world.receive(inside(.invite, 14, body: "rubbish"), from: stranger)
        #expect(world.caughtStatuses.suffix(5) == [200, 500, 200, 501, 488])
        // A re-INVITE without an offer gets the same offer as a new call (RFC 3261 §14.2).
        world.receive(inside(.invite, 17), from: stranger)
        let open = try SessionDescription(parsing: try #require(world.caughtMessages.last?.body))
        #expect(open.media[0].values(of: "rtpmap").map { $0.split(separator: " ").last ?? "" }.contains("PCMA/8000"))
        #expect(open.media[0].formats.first == "111", "a format keeps its payload type")
        #expect(open.media[0].values(of: "crypto").count == 1)
        world.receive(
            stranger.request(
                .ack, sequence: 17, branch: "z9hG4bK-17ACK", toTag: tag,
                body: Stranger.body.replacing("7 7 IN", with: "7 8 IN")
            ).bytes, from: stranger)
        #expect(world.ends(0, leg).isEmpty)
        world.receive(inside(.invite, 18, body: Stranger.body + "a=sendonly\r\n"), from: stranger)
        #expect(world.heldByFarEnd(0, leg) == [true])
        world.receive(inside(.ack, 18), from: stranger)
        world.receive(inside(.bye, 19), from: stranger)
        #expect(world.ends(0, leg) == [.hungUpThere])
    }

    @Test("a stranger that challenges our BYE gets no password hash")
    func strangerThatChallengesOurBYEGetsNoPasswordHash() throws {
        var configuration = RegistrationTests.account()
        configuration.accepts = .anyone
        var world = try connected(configuration)
        #expect(RegistrationTests.states(world).last == .registered)
        world.command(0, .end(leg))
        world.run(.milliseconds(100))
        let bye = try #require(world.caughtRequests.last)
        #expect(bye.method == .bye && !bye.headers.contains(.authorization))
        for (status, header) in [
            (SIPStatus.unauthorized, SIPHeaderName.wwwAuthenticate), (.proxyAuthenticationRequired, .proxyAuthenticate),
        ] {
            var challenge = bye.response(status)
            challenge.headers[header] = "Digest realm=\"example\", nonce=\"mine\", qop=\"auth\""
            world.receive(challenge.bytes, from: stranger)
        }
        world.run(.seconds(5))
        let leaked = world.caughtRequests.filter {
            $0.headers.contains(.authorization) || $0.headers.contains(.proxyAuthorization)
        }
        #expect(leaked.isEmpty)
        #expect(world.ends(0, leg) == [.hungUpHere])
    }

    @Test("nor does a callee that challenges from its own address")
    func norDoesCalleeThatChallengesFromItsOwnAddress() throws {
        var world = World()
        world.server = TestServer()
        world.server?.contact = stranger.endpoint
        world.add(RegistrationTests.account())
        world.run(.seconds(1))
        let leg = CallID(.phone, 1)
        world.command(0, .dial(leg, target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        world.command(0, .end(leg))
        world.run(.milliseconds(100))
        let bye = try #require(world.caughtRequests.last)
        world.receive(stranger.challenge(bye).bytes, from: stranger)
        world.run(.seconds(5))
        let byes = world.caughtRequests.filter { $0.method == .bye }
        #expect(!byes.isEmpty && byes.allSatisfy { !$0.headers.contains(.proxyAuthorization) })
        #expect(byes.allSatisfy { !$0.headers.contains(.authorization) })
        #expect(world.ends(0, leg) == [.hungUpHere])
    }

    @Test("nor does a caller behind our own server")
    func norDoesCallerBehindOurOwnServer() throws {
        let behind = Stranger(World.serverEndpoint)
        var world = World.registered()
        world.receive(behind.invite().bytes, from: behind)
        #expect(world.offeredLegs(0) == [leg])
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.seconds(40))
        // No ACK came, so the line sent BYE, which the test's server challenges.
        #expect(world.ends(0, leg) == [.unreachable])
        let byes = try #require(world.server?.requests.filter { $0.method == .bye })
        #expect(byes.count == 1)
        #expect(byes.allSatisfy { !$0.headers.contains(.authorization) && !$0.headers.contains(.proxyAuthorization) })
    }

    @Test("a second answer to a forked call is acknowledged and hung up; the first is kept")
    func secondAnswerToForkedCallIsAcknowledgedAndHungUpFirstIsKept() throws {
        var (world, invite) = try World.callingStranger()
        let (leg, answer) = (CallID(.phone, 1), Stranger.answer)
        world.receive(stranger.success(to: invite, tag: "first", body: answer).bytes, from: stranger)
        world.receive(stranger.success(to: invite, tag: "second", body: answer).bytes, from: stranger)
        world.receive(stranger.success(to: invite, tag: "first", body: answer).bytes, from: stranger)
        let requests = world.caughtRequests.map { "\($0.method) \((try? $0.headers.to.tag) ?? "")" }
        #expect(requests.filter { $0.hasPrefix("ACK") } == ["ACK first", "ACK second", "ACK first"])
        #expect(Set(requests.filter { $0.hasPrefix("BYE") }) == ["BYE second"])
        #expect(world.agreed(0, leg) != nil && world.ends(0, leg).isEmpty)
    }

    @Test("early media is reported once per far end, and a 2xx without a body keeps it")
    func earlyMediaIsReportedOncePerFarEndAnd2xxWithoutBodyKeepsIt() throws {
        var (world, invite) = try World.callingStranger()
        let leg = CallID(.phone, 1)
        let progress = stranger.progress(.sessionProgress, to: invite, tag: "one", body: Stranger.answer)
        world.receive(progress.bytes, from: stranger)
        world.receive(progress.bytes, from: stranger)
        world.receive(stranger.success(to: invite, tag: "one").bytes, from: stranger)
        let early = world.outputs(0).compactMap {
            if case .event(.earlyMedia(leg, let agreed)) = $0 { agreed } else { nil }
        }
        #expect(early.count == 1 && world.agreed(0, leg) == early[0])
    }
}
