import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Automatic answers wait for their ACK")
struct AwaitingTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    private func called(_ body: String = Stranger.body) -> World {
        var world = World()
        world.add(Calls.direct("alice"))
        world.receive(stranger.request(.invite, body: body).bytes, from: stranger)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: true))
        world.run(.milliseconds(100))
        return world
    }

    private func acknowledge(_ world: inout World, tag: String, body: String = "") {
        world.receive(
            stranger.request(.ack, branch: "z9hG4bK-ack", toTag: tag, body: body).bytes, from: stranger)
    }

    private func isAnswered(_ world: World) -> Bool { world.agreed(0, leg) != nil }

    @Test("a spoofed INVITE, whose caller gets no packet, is never reported as answered")
    func spoofedINVITEWhoseCallerGetsNoPacket() {
        var world = called()
        #expect(world.caughtStatuses.contains(200) && !isAnswered(world))
        acknowledge(&world, tag: "guessed")
        world.run(.seconds(40))
        #expect(!isAnswered(world) && world.ends(0, leg) == [.unreachable])
        #expect(!world.outputs(0).contains { if case .event(.memo) = $0 { true } else { false } })
    }

    @Test("the ACK reports the answer once and stops the repetition")
    func ackReportsAnswerOnceAndStopsRepetition() throws {
        var world = called()
        acknowledge(&world, tag: try #require(world.tagForStranger))
        #expect(isAnswered(world))
        acknowledge(&world, tag: try #require(world.tagForStranger))
        world.run(.seconds(40))
        #expect(world.outputs(0).filter { if case .event(.answered) = $0 { true } else { false } }.count == 1)
        #expect(world.caughtStatuses.filter { $0 == 200 }.count == 1 && world.ends(0, leg).isEmpty)
    }

    @Test("a hold that overtakes the ACK is reported after the answer")
    func holdThatOvertakesACKIsReportedAfterAnswer() throws {
        var world = called()
        let tag = try #require(world.tagForStranger)
        let held = Stranger.body.replacing("7 7 IN", with: "7 8 IN") + "a=sendonly\r\n"
        let hold = stranger.request(.invite, sequence: 11, branch: "z9hG4bK-hold", toTag: tag, body: held)
        world.receive(hold.bytes, from: stranger)
        #expect(!isAnswered(world))
        let ack = stranger.request(.ack, sequence: 11, branch: "z9hG4bK-ack", toTag: tag)
        world.receive(ack.bytes, from: stranger)
        #expect(isAnswered(world))
        #expect(world.heldByFarEnd(0, leg) == [true])
    }

    @Test("a caller without an offer answers ours in the ACK, which reports the answer too")
    func callerWithoutOfferAnswersOursInACKWhichReportsAnswerToo() throws {
        var world = called("")
        #expect(!isAnswered(world))
        acknowledge(&world, tag: try #require(world.tagForStranger), body: Stranger.answer)
        #expect(isAnswered(world))
    }

    @Test("a hang-up before the ACK is reported as an end only")
    func hangUpBeforeACKIsReportedAsEndOnly() throws {
        var world = called()
        let tag = try #require(world.tagForStranger)
        world.receive(
            stranger.request(.bye, sequence: 11, branch: "z9hG4bK-bye", toTag: tag).bytes, from: stranger)
        #expect(!isAnswered(world) && world.ends(0, leg) == [.hungUpThere])
    }

    @Test("an answer elsewhere is reported as such")
    func answerElsewhereIsReportedAsSuch() throws {
        var world = called()
        let tag = try #require(world.tagForStranger)
        let reason = (SIPHeaderName("Reason"), "SIP;cause=200;text=\"Call completed elsewhere\"")
        let bye = stranger.request(.bye, sequence: 11, branch: "z9hG4bK-bye", toTag: tag, extra: [reason])
        world.receive(bye.bytes, from: stranger)
        #expect(world.ends(0, leg) == [.answeredElsewhere])
    }

    @Test("a local end waits for the ACK before its BYE and is reported in time")
    func localEndWaitsForACKBeforeItsBYEAndIsReportedInTime() throws {
        var world = called()
        world.command(0, .end(leg))
        world.run(.seconds(3))
        #expect(!isAnswered(world) && world.ends(0, leg) == [.hungUpHere])
        acknowledge(&world, tag: try #require(world.tagForStranger))
        #expect(!isAnswered(world) && world.caughtRequests.contains { $0.method == .bye })
    }

    @Test("terms that change before the ACK are part of the reported answer")
    func termsThatChangeBeforeACKArePartOfReportedAnswer() throws {
        var world = called()
        let tag = try #require(world.tagForStranger)
        let moved = Stranger.body.replacing("7000", with: "7070").replacing("7 7 IN", with: "7 8 IN")
        world.receive(
            stranger.request(.update, sequence: 11, branch: "z9hG4bK-u", toTag: tag, body: moved).bytes, from: stranger)
        #expect(world.renegotiated(0, leg).isEmpty)
        acknowledge(&world, tag: tag)
        // RFC 3311 §5.2 refuses an offer only while another one waits for its answer, and the 2xx was the answer.
        #expect(world.caughtStatuses.filter { $0 == 200 }.count == 2)
        #expect(try #require(world.agreed(0, leg)).remote.port == 7_070 && world.renegotiated(0, leg).isEmpty)
    }

    // MARK: Voice that moves elsewhere

    /// An automatically answered call whose ACK came.
    private func talking() throws -> (world: World, tag: String) {
        var world = called()
        let tag = try #require(world.tagForStranger)
        acknowledge(&world, tag: tag)
        return (world, tag)
    }

    private func offer(_ method: SIPMethod, of session: String, tag: String) -> SIPRequest {
        stranger.request(method, sequence: 11, branch: "z9hG4bK-move", toTag: tag, body: session)
    }

    @Test(
        "a re-INVITE moves the voice only after its ACK",
        arguments: [Stranger.movedBody, Stranger.otherPortBody])
    func reINVITEMovesVoiceOnlyAfterItsACK(session: String) throws {
        var (world, tag) = try talking()
        world.receive(offer(.invite, of: session, tag: tag).bytes, from: stranger)
        #expect(world.caughtStatuses.filter { $0 == 200 }.count == 2 && world.renegotiated(0, leg).isEmpty)
        acknowledge(&world, tag: tag)
        #expect(world.renegotiated(0, leg).isEmpty, "that was the ACK of the first INVITE")
        let ack = stranger.request(.ack, sequence: 11, branch: "z9hG4bK-ack2", toTag: tag)
        world.receive(ack.bytes, from: stranger)
        #expect(
            world.renegotiated(0, leg).map(\.remote) == [try SessionDescription(parsing: Array(session.utf8)).place])
    }

    @Test("a re-INVITE without ACK moves nothing, and the call ends")
    func reINVITEWithoutACKMovesNothingAndCallEnds() throws {
        var (world, tag) = try talking()
        world.receive(offer(.invite, of: Stranger.movedBody, tag: tag).bytes, from: stranger)
        world.run(.seconds(40))
        #expect(world.renegotiated(0, leg).isEmpty && world.ends(0, leg) == [.unreachable])
    }

    @Test("an UPDATE, which has no ACK, may change the port of the voice, but not its host")
    func updateWhichHasNoACKMayChangePortOfVoiceButNotItsHost() throws {
        var (world, tag) = try talking()
        world.receive(offer(.update, of: Stranger.movedBody, tag: tag).bytes, from: stranger)
        #expect(world.caughtStatuses.last == 504 && world.renegotiated(0, leg).isEmpty && world.ends(0, leg).isEmpty)
        let update = stranger.request(
            .update, sequence: 12, branch: "z9hG4bK-port", toTag: tag, body: Stranger.otherPortBody)
        world.receive(update.bytes, from: stranger)
        #expect(world.caughtStatuses.last == 200 && world.renegotiated(0, leg).map(\.remote.port) == [7_070])
    }

    @Test("a hold from the same address is reported at once")
    func holdFromSameAddressIsReportedAtOnce() throws {
        var (world, tag) = try talking()
        let held = Stranger.body.replacing("7 7 IN", with: "7 8 IN") + "a=sendonly\r\n"
        world.receive(offer(.invite, of: held, tag: tag).bytes, from: stranger)
        #expect(world.heldByFarEnd(0, leg) == [true])
    }

    @Test("in a call that a person answered the voice moves at once", arguments: [SIPMethod.invite, .update])
    func inCallThatPersonAnsweredVoiceMovesAtOnce(method: SIPMethod) throws {
        var (world, tag) = try World.called(by: stranger)
        world.receive(offer(method, of: Stranger.movedBody, tag: tag).bytes, from: stranger)
        #expect(world.renegotiated(0, leg).map(\.remote.host) == ["198.51.100.66"])
    }
}

extension SessionDescription {
    /// The address to which it wants the voice.
    fileprivate var place: MediaAddress { MediaAddress(host: host ?? "", port: media[0].port) }
}

extension Stranger {
    fileprivate static let movedBody = body.replacing("7 7 IN", with: "7 8 IN")
        .replacing("c=IN IP4 203.0.113.9", with: "c=IN IP4 198.51.100.66")
    fileprivate static let otherPortBody = body.replacing("7 7 IN", with: "7 8 IN").replacing("7000", with: "7070")
}
