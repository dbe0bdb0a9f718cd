import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Refused calls are reported")
struct TurnedAwayTests {
    private let stranger = Stranger()

    private func refusals(_ world: World) -> [CallRefusal] {
        world.outputs(0).compactMap { if case .event(.refused(_, _, let reason)) = $0 { reason } else { nil } }
    }

    private func world(
        accepts: LineConfiguration.Accepts = .anyone, protection: ProtectionPolicy = .mandatory, legs: Int = 8
    ) -> World {
        var world = World()
        var configuration = Calls.direct("alice", accepts: accepts)
        configuration.media.protection = protection
        configuration.maximumLegs = legs
        world.add(configuration)
        return world
    }

    @Test(
        "a refused offer is reported with its reason",
        arguments: [
            (Stranger.body.replacing("RTP/SAVP", with: "RTP/AVP").replacing("a=crypto", with: "a=x"), .noProtection),
            (Stranger.body.replacing("opus", with: "speex"), .noCommonCodec),
            (Stranger.body.replacing("m=audio", with: "m=video"), .noAudio), ("v=0\r\nrubbish\r\n", .malformed),
        ] as [(String, CallRefusal)])
    func refusedOfferIsReportedWithItsReason(body: String, reason: CallRefusal) throws {
        var world = world()
        world.receive(stranger.invite(body: body).bytes, from: stranger)
        #expect(refusals(world) == [reason] && world.offeredLegs(0).isEmpty)
        guard case .event(.refused(let caller, let from, _))? = world.outputs(0).last else {
            Issue.record("nothing was reported")
            return
        }
        #expect(caller.number == "mallory" && from == stranger.endpoint.host)
    }

    @Test("unlisted callers and calls without room are reported")
    func unlistedCallersAndCallsWithoutRoomAreReported() {
        var closed = world(accepts: .listed([]))
        closed.receive(stranger.invite().bytes, from: stranger)
        #expect(refusals(closed) == [.notAccepted])
        var full = world(legs: 1)
        full.receive(stranger.invite().bytes, from: stranger)
        let next = Stranger(callID: "next")
        full.receive(next.request(.invite, branch: "z9hG4bK-n", body: Stranger.body).bytes, from: next)
        #expect(refusals(full) == [.noRoom])
    }

    @Test("only the first of a flood are reported")
    func onlyFirstOfFloodAreReported() {
        var world = world(accepts: .listed([]))
        world.receiveCallsOfStrangers(200)
        #expect((1...12).contains(refusals(world).count))
    }

    /// A server forwards a refusal: 486 is a busy phone, 503 a broken one (RFC 3261 §21.4.24, §21.5.4).
    @Test("calls of the own server without room get busy, and each is reported")
    func callsOfOwnServerWithoutRoomGetBusyAndEachIsReported() throws {
        var world = World.registered()
        for number in 0..<50 {
            let peer = Stranger(World.serverEndpoint, callID: "crowd-\(number)")
            world.receiveFromServer(peer.request(.invite, branch: "z9hG4bK-\(number)", body: Stranger.body))
        }
        #expect(world.offeredLegs(0).count == 8)
        var refused: [String: Set<Int>] = [:]
        for bytes in world.heard {
            guard case .response(let response)? = try? SIPMessage(bytes.span), response.status.code >= 300 else {
                continue
            }
            refused[try response.headers.callID, default: []].insert(response.status.code)
        }
        #expect(refused.count == 42 && refused.values.allSatisfy { $0 == [486] })
        #expect(Set(refusals(world)) == [.noRoom, .tooOften] && refusals(world).count == 42)
    }

    // MARK: Before an offer

    /// An INVITE with broken headers.
    private func unreadable(_ number: Int = 0) -> [UInt8] {
        let invite = stranger.request(.invite, branch: "z9hG4bK-\(number)", body: Stranger.body)
        return Array(
            String(decoding: invite.bytes, as: UTF8.self)
                .replacing("CSeq: 10", with: "CSeq: many").utf8)
    }

    @Test("an INVITE to an unknown user or with broken headers is reported with its sender")
    func unread() throws {
        var world = world()
        world.receive(stranger.request(.invite, uri: "http://example.com/", body: Stranger.body).bytes, from: stranger)
        #expect(world.caughtStatuses.last == 416 && refusals(world) == [.unsupported])
        world.receive(unreadable(), from: stranger)
        #expect(world.caughtStatuses.last == 400 && refusals(world) == [.unsupported, .malformed])
        guard case .event(.refused(let caller, let from, _))? = world.outputs(0).last else {
            Issue.record("nothing was reported")
            return
        }
        #expect(caller.number == "mallory" && from == stranger.endpoint.host)
        // A stranger's INVITE is reported as a stranger's, and other requests not at all.
        var closed = self.world(accepts: .listed([]))
        closed.receive(unreadable(), from: stranger)
        closed.receive(
            Array(String(decoding: unreadable(), as: UTF8.self).replacing("INVITE", with: "OPTIONS").utf8),
            from: stranger)
        #expect(refusals(closed) == [.notAccepted])
    }

    @Test("an unreadable offer inside a call is no refused call")
    func unreadableOfferInsideCallIsNoRefusedCall() throws {
        var world = world()
        let tag = try world.answerCall(of: stranger)
        let offer = stranger.request(.invite, sequence: 11, branch: "z9hG4bK-r", toTag: tag, body: Stranger.body)
        let bytes = String(decoding: offer.bytes, as: UTF8.self).replacing("CSeq: 11", with: "CSeq: many")
        world.receive(Array(bytes.utf8), from: stranger)
        #expect(world.caughtStatuses.last == 400 && refusals(world).isEmpty)
    }

    @Test("only the first of many unreadable ones are reported")
    func onlyFirstOfManyUnreadableOnesAreReported() {
        var world = world()
        for number in 0..<200 {
            world.carry(unreadable(number), from: stranger.endpoint, to: World.endpoint(0))
        }
        world.run(.milliseconds(100))
        #expect((1...12).contains(refusals(world).count))
    }

    @Test("an INVITE without a free transaction is reported")
    func inviteWithoutFreeTransactionIsReported() {
        var world = world(legs: 1_000)
        for number in 0..<LineMachine.transactionLimit {
            let caller = Stranger(callID: "call-\(number)")
            world.receive(caller.request(.invite, branch: "z9hG4bK-\(number)", body: Stranger.body).bytes, from: caller)
            world.run(.milliseconds(500))
        }
        #expect(world.offeredLegs(0).count == LineMachine.transactionLimit && refusals(world).isEmpty)
        world.receive(stranger.invite().bytes, from: stranger)
        #expect(world.caughtStatuses.last == 503 && refusals(world) == [.noRoom])
    }

    @Test("a stranger's method is reported truncated")
    func strangerMethodIsReportedTruncated() {
        let flow = Flow(.udp, local: World.endpoint(0), remote: stranger.endpoint)
        let text = GateRefusal.stranger.text(SIPMethod(String(repeating: "X", count: 4_000)), from: flow)
        #expect(text.contains("XXX") && text.utf8.count < 200 && text.contains("203.0.113.9"))
    }

    @Test("a copy over another path is not reported: the call rings")
    func copyOverAnotherPathIsNotReportedCallRings() {
        var world = world()
        world.receive(stranger.invite().bytes, from: stranger)
        world.receive(stranger.request(.invite, branch: "z9hG4bK-other", body: Stranger.body).bytes, from: stranger)
        #expect(world.caughtStatuses.last == 482 && world.offeredLegs(0).count == 1 && refusals(world).isEmpty)
    }
}
