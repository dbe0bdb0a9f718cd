import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("UPDATE from the far end")
struct UpdateTests {
    private let stranger = Stranger()
    private let leg = CallID(.phone, 1)

    private func update(
        _ invite: SIPRequest, _ tag: String, _ sequence: UInt32, _ body: String = ""
    ) -> [UInt8] {
        stranger.request(.update, in: invite, tag: tag, sequence: sequence, body: body).bytes
    }

    private static let moved = Stranger.body.replacing("audio 7000", with: "audio 7200")

    @Test("before the answer UPDATE waits for our offer's answer, then changes early media, which the 2xx keeps")
    func beforeAnswerUPDATEWaitsForOurOfferAnswer() throws {
        var (world, invite) = try World.callingStranger()
        world.receive(update(invite, "one", 1), from: stranger)
        #expect(world.caughtStatuses.last == 481, "nobody rings yet")
        world.receive(
            stranger.progress(.sessionProgress, to: invite, tag: "one", body: Stranger.answer).bytes, from: stranger)
        world.receive(update(invite, "one", 2, Self.moved), from: stranger)
        #expect(world.caughtStatuses.last == 491, "a preview is no answer")
        world.receive(update(invite, "one", 3), from: stranger)
        #expect(world.caughtStatuses.last == 200 && world.caughtMessages.last?.body.isEmpty == true)
        world.receive(
            stranger.progress(.sessionProgress, to: invite, tag: "one", number: 1, body: Stranger.answer).bytes,
            from: stranger)
        world.receive(update(invite, "one", 4, Self.moved), from: stranger)
        let accepted = try #require(world.caughtResponses.last)
        #expect(accepted.status == .ok && accepted.headers.contains(.contact))
        #expect(try SessionDescription(parsing: accepted.body).media[0].port == 4_000)
        #expect(world.earlyMedia(0, leg).map(\.remote.port) == [7_000, 7_200])
        world.receive(update(invite, "one", 4, Self.moved.replacing("7200", with: "7300")), from: stranger)
        #expect(world.earlyMedia(0, leg).count == 2, "a repetition is not heard twice")
        world.receive(update(invite, "one", 3, Self.moved).withBranch("z9hG4bK-late"), from: stranger)
        #expect(world.caughtStatuses.last == 500, "an old number")
        world.receive(update(invite, "one", 5, "v=1\r\n"), from: stranger)
        #expect(world.caughtStatuses.last == 488)
        world.receive(stranger.success(to: invite, tag: "one").bytes, from: stranger)
        #expect(world.agreed(0, leg)?.remote.port == 7_200)
    }

    @Test("while ringing, a new offer gets 491, a refresh does not")
    func whileRingingNewOfferGets491RefreshDoesNot() throws {
        var world = World()
        world.add(Calls.direct("alice"))
        world.receive(stranger.invite().bytes, from: stranger)
        world.command(0, .alert(CallID(.line(.direct), 1)))
        world.run(.milliseconds(100))
        for (sequence, body, status) in [(11, Self.moved, 500), (200, "", 200)] as [(UInt32, String, Int)] {
            for method in status == 500 ? [SIPMethod.update, .invite] : [.update] {
                let request = stranger.request(
                    method, sequence: sequence + (method == .invite ? 100 : 0), branch: "z9hG4bK-\(method)\(sequence)",
                    toTag: world.tagForStranger, body: body)
                world.receive(request.bytes, from: stranger)
                let response = try #require(world.caughtResponses.last)
                #expect(response.status.code == status)
                let pause = try response.headers.retryAfter
                #expect(pause.map { $0.seconds <= 10 } == (status == 500 ? true : nil))
            }
        }
        #expect(world.ends(0, CallID(.line(.direct), 1)).isEmpty)
    }

    /// The call is up.
    private func connected() throws -> (world: World, invite: SIPRequest) {
        var (world, invite) = try World.callingStranger()
        world.receive(stranger.success(to: invite, tag: "one", body: Stranger.answer).bytes, from: stranger)
        return (world, invite)
    }

    @Test("in a call it changes terms, moves the far end, or changes nothing")
    func inCallItChangesTermsMovesFarEndOrChangesNothing() throws {
        var (world, invite) = try connected()
        world.receive(update(invite, "one", 1, Stranger.body + "a=sendonly\r\n"), from: stranger)
        #expect(world.caughtStatuses.last == 200)
        #expect(world.heldByFarEnd(0, leg) == [true])
        let accepted = try #require(world.caughtResponses.last)
        #expect(try SessionDescription(parsing: accepted.body).media[0].attributes.contains(.init("recvonly")))
        world.receive(update(invite, "one", 2), from: stranger)
        #expect(world.caughtStatuses.last == 200 && world.caughtMessages.last?.body.isEmpty == true)
        world.receive(update(invite, "one", 3, "rubbish"), from: stranger)
        #expect(world.caughtStatuses.last == 488)
        #expect(world.renegotiated(0, leg).count == 1)
        let moving = stranger.request(
            .update, in: invite, tag: "one", sequence: 4, extra: [(.contact, "<sip:new@203.0.113.9:5060>")])
        world.receive(moving.bytes, from: stranger)
        world.command(0, .end(leg))
        world.run(.milliseconds(100))
        #expect(world.caughtRequests.last?.uri.text == "sip:new@203.0.113.9:5060")
        world.receive(update(invite, "one", 5, Self.moved), from: stranger)
        #expect(world.caughtStatuses.last == 481, "behind a BYE")
    }

    @Test("of crossing offers the far end's is refused, and ours succeeds")
    func ofCrossingOffersFarEndIsRefusedAndOursSucceeds() throws {
        var (world, invite) = try connected()
        world.command(0, .hold(leg, true))
        world.run(.milliseconds(100))
        let second = try #require(world.caughtRequests.last { $0.method == .invite })
        world.receive(update(invite, "one", 1, Self.moved), from: stranger)
        #expect(world.caughtStatuses.last == 491)
        world.receive(update(invite, "one", 2), from: stranger)
        #expect(world.caughtStatuses.last == 200, "a refresh crosses nothing")
        world.receive(
            stranger.success(to: second, tag: "one", body: Stranger.answer + "a=recvonly\r\n").bytes, from: stranger)
        #expect(world.settled(0, leg).map(\.?.direction) == [.sendonly])
        #expect(world.agreed(0, leg)?.remote.port == 7_000)
    }

    @Test("an offer before the ACK with the answer to ours is refused")
    func offerBeforeACKWithAnswerToOursIsRefused() throws {
        var (world, invite) = try connected()
        world.receive(stranger.request(.invite, in: invite, tag: "one", sequence: 1).bytes, from: stranger)
        let offer = try #require(world.caughtResponses.last)
        #expect(offer.status == .ok && !offer.body.isEmpty)
        world.receive(update(invite, "one", 2, Self.moved), from: stranger)
        #expect(world.caughtStatuses.last == 491)
        let body = Stranger.answer(Self.moved)
        world.receive(stranger.request(.ack, in: invite, tag: "one", sequence: 1, body: body).bytes, from: stranger)
        #expect(world.renegotiated(0, leg).map(\.remote.port) == [7_200], "a third party's late offer")
        world.receive(update(invite, "one", 3, Stranger.body), from: stranger)
        #expect(world.renegotiated(0, leg).map(\.remote.port) == [7_200, 7_000])
    }

    @Test(
        "a late offer with a missing or invalid answer keeps the terms",
        arguments: ["", "v=1"])
    func lateOfferWithMissingOrInvalidAnswerKeepsTerms(body: String) throws {
        var (world, invite) = try connected()
        world.receive(stranger.request(.invite, in: invite, tag: "one", sequence: 1).bytes, from: stranger)
        world.receive(stranger.request(.ack, in: invite, tag: "one", sequence: 1, body: body).bytes, from: stranger)
        #expect(world.renegotiated(0, leg).isEmpty && world.ends(0, leg).isEmpty)
        world.command(0, .hold(leg, true))
        world.run(.milliseconds(100))
        #expect(world.caughtRequests.last?.method == .invite, "another offer may be made")
    }
}

extension [UInt8] {
    /// The same message by another way.
    fileprivate func withBranch(_ branch: String) -> [UInt8] {
        guard case .request(var request)? = try? SIPMessage(span) else { return self }
        request.headers[.via] = "SIP/2.0/UDP 203.0.113.9:5060;branch=\(branch);rport"
        return request.bytes
    }
}
