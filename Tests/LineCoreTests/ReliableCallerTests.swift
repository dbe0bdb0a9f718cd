import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Reliable provisional responses, as caller")
struct ReliableCallerTests {
    private let stranger = Stranger()
    private let leg = CallID(.phone, 1)

    /// The PRACKs that came, each once, by their RAck; all are answered.
    private func pracks(_ world: inout World) -> [String] {
        var said: [String] = []
        for prack in world.caughtRequests where prack.method == .prack {
            let text = "\((try? prack.headers.to.tag) ?? "") \(prack.headers[.rAck] ?? "")"
            if !said.contains(text) { said.append(text) }
        }
        return said
    }

    private func receive(_ response: SIPResponse, _ world: inout World) {
        world.receive(response.bytes, from: stranger)
        guard let prack = world.caughtRequests.last, prack.method == .prack else { return }
        world.receive(prack.response(.ok).bytes, from: stranger)
    }

    @Test("an INVITE lists the supported extensions only")
    func inviteListsSupportedExtensionsOnly() throws {
        let (_, invite) = try World.callingStranger()
        #expect(try invite.headers.tokens(.supported) == ["100rel", "timer", "replaces", "norefersub", "tdialog"])
        let allowed = Set(try invite.headers.tokens(.allow))
        #expect(allowed.isSuperset(of: ["INVITE", "ACK", "CANCEL", "BYE", "OPTIONS", "PRACK", "UPDATE"]))
        #expect(!invite.headers.contains(.require))
    }

    @Test("each reliable response is acknowledged once and in order; one ahead of a gap waits")
    func eachReliableResponseIsAcknowledgedOnceAndInOrder() throws {
        var (world, invite) = try World.callingStranger()
        let number = try invite.headers.cSeq.number
        receive(stranger.progress(to: invite, tag: "one", number: 5), &world)
        #expect(pracks(&world) == ["one 5 \(number) INVITE"])
        let prack = try #require(world.caughtRequests.last)
        #expect(try prack.headers.cSeq == CSeq(number + 1, .prack))
        #expect(prack.uri.text == "sip:one@203.0.113.9:5060" && prack.body.isEmpty)
        #expect(world.outputs(0).contains(.event(.ringing(leg))))

        receive(stranger.progress(to: invite, tag: "one", number: 5), &world)
        #expect(world.caughtRequests.count { $0.method == .prack } == 1, "a repetition is acknowledged already")
        receive(stranger.progress(.sessionProgress, to: invite, tag: "one", number: 7, body: Stranger.answer), &world)
        #expect(world.caughtRequests.count { $0.method == .prack } == 1)
        #expect(early(world).isEmpty, "6 is missing")
        receive(stranger.progress(to: invite, tag: "one", number: 6), &world)
        receive(stranger.progress(.sessionProgress, to: invite, tag: "one", number: 7, body: Stranger.answer), &world)
        #expect(pracks(&world) == [5, 6, 7].map { "one \($0) \(number) INVITE" })
        #expect(try world.caughtRequests.last?.headers.cSeq.number == number + 3)
        #expect(early(world).count == 1)
    }

    @Test("a response without RSeq or Require is unreliable", arguments: [true, false])
    func responseWithoutRSeqOrRequireIsUnreliable(requires: Bool) throws {
        var (world, invite) = try World.callingStranger()
        var response = stranger.progress(to: invite, tag: "one", number: 1)
        response.headers[requires ? .rSeq : .require] = nil
        world.receive(response.bytes, from: stranger)
        #expect(pracks(&world).isEmpty)
        #expect(world.outputs(0).contains(.event(.ringing(leg))))
    }

    @Test("a lost PRACK is repeated and abandoned like any request")
    func lostPRACKIsRepeatedAndAbandonedLikeAnyRequest() throws {
        var (world, invite) = try World.callingStranger()
        world.receive(stranger.progress(to: invite, tag: "one", number: 1).bytes, from: stranger)
        world.run(.seconds(40))
        #expect(world.caughtRequests.count { $0.method == .prack } == 11)
        #expect(Set(world.caughtRequests.filter { $0.method == .prack }.map(\.bytes)).count == 1)
        #expect(world.ends(0, leg).isEmpty, "the far end decides what becomes of the call")
    }

    @Test("an answer in a reliable response is final; a preview may change with the 2xx")
    func answerInReliableResponseIsFinalPreviewMayChangeWith2xx() throws {
        for isReliable in [true, false] {
            var (world, invite) = try World.callingStranger()
            let number: UInt32? = isReliable ? 1 : nil
            receive(
                stranger.progress(.sessionProgress, to: invite, tag: "one", number: number, body: Stranger.answer),
                &world)
            let other = Stranger.answer.replacing("audio 7000", with: "audio 7100")
            world.receive(stranger.success(to: invite, tag: "one", body: other).bytes, from: stranger)
            #expect(early(world).map(\.remote.port) == [7_000])
            #expect(world.agreed(0, leg)?.remote.port == (isReliable ? 7_000 : 7_100))
        }
    }

    @Test("the call continues in the early dialog: with its numbers, over the route of the 2xx")
    func callContinuesInEarlyDialogWithItsNumbersOverRouteOf2xx() throws {
        var (world, invite) = try World.callingStranger()
        receive(
            stranger.progress(.sessionProgress, to: invite, tag: "one", number: 1, body: Stranger.answer), &world)
        receive(stranger.progress(to: invite, tag: "one", number: 2), &world)
        var success = stranger.success(to: invite, tag: "one")
        success.headers[.recordRoute] = "<sip:203.0.113.9;lr>"
        world.receive(success.bytes, from: stranger)
        #expect(world.agreed(0, leg) == early(world).first)
        world.command(0, .end(leg))
        world.run(.milliseconds(100))
        let bye = try #require(world.caughtRequests.last)
        #expect(bye.method == .bye && bye.headers[.route] == "<sip:203.0.113.9;lr>")
        #expect(try bye.headers.cSeq.number == invite.headers.cSeq.number + 3)
    }

    @Test("a PRACK challenged by the own server is sent again with credentials and the next number")
    func challenged() throws {
        let behind = Stranger(World.serverEndpoint)
        var world = World.registered()
        world.server = nil
        world.command(0, .dial(leg, target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        let invite = try #require(world.caughtRequests.last)
        world.receive(behind.progress(to: invite, tag: "one", number: 1).bytes, from: behind)
        let prack = try #require(world.caughtRequests.last)
        #expect(prack.method == .prack && !prack.headers.contains(.proxyAuthorization))
        world.receive(behind.challenge(prack).bytes, from: behind)
        let again = try #require(world.caughtRequests.last)
        #expect(again.method == .prack && again.headers.contains(.proxyAuthorization))
        #expect(again.headers[.rAck] == prack.headers[.rAck])
        #expect(try again.headers.cSeq.number == prack.headers.cSeq.number + 1)
    }

    @Test("a reliable response to our re-INVITE is acknowledged; its answer counts with the 2xx")
    func reliableResponseToOurReINVITEIsAcknowledged() throws {
        for status in [SIPStatus.ok, .notAcceptableHere] {
            var (world, invite) = try World.callingStranger()
            world.receive(stranger.success(to: invite, tag: "one", body: Stranger.answer).bytes, from: stranger)
            world.command(0, .hold(leg, true))
            world.run(.milliseconds(100))
            let second = try #require(world.caughtRequests.last { $0.method == .invite })
            let held = Stranger.answer + "a=recvonly\r\n"
            let progress = stranger.progress(.sessionProgress, to: second, tag: "one", number: 9, body: held)
            receive(progress, &world)
            #expect(pracks(&world) == ["one 9 \(try second.headers.cSeq.number) INVITE"])
            #expect(world.settled(0, leg).isEmpty)
            world.receive(stranger.success(to: second, tag: "one", status).bytes, from: stranger)
            #expect(world.settled(0, leg).map(\.?.direction) == (status == .ok ? [.sendonly] : [nil]))
            world.command(0, .hold(leg, false))
            world.run(.milliseconds(100))
            #expect(world.ends(0, leg).isEmpty)
        }
    }

    private func early(_ world: World) -> [NegotiatedMedia] { world.earlyMedia(0, leg) }
}

extension World {
    func earlyMedia(_ line: Int, _ leg: CallID) -> [NegotiatedMedia] {
        outputs(line).compactMap { if case .event(.earlyMedia(leg, let agreed)) = $0 { agreed } else { nil } }
    }
}
