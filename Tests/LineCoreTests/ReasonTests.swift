import Base
import LineCore
import SIPCore
import Testing

@Suite("Reasons of cancelled calls")
struct ReasonTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    private static let reasons: [(String?, EndReason)] = [
        (nil, .cancelledThere), ("SIP;cause=200;text=\"Call completed elsewhere\"", .answeredElsewhere),
        ("sip ; cause=200", .answeredElsewhere), ("Q.850;cause=26", .answeredElsewhere),
        ("Q.850;cause=16;text=\"Normal call clearing\", SIP;cause=200", .answeredElsewhere),
        ("Q.850;cause=16", .cancelledThere), ("Q.850;cause=200", .cancelledThere), ("SIP;cause=26", .cancelledThere),
        ("SIP;cause=487", .cancelledThere), ("SIP", .cancelledThere), ("SIP;cause=200x", .cancelledThere),
        ("SIP;cause=99999999999999999999", .cancelledThere), (";cause=200", .cancelledThere), ("", .cancelledThere),
    ]

    private func offered() -> World {
        var world = World()
        world.add(Calls.direct("alice"))
        world.receive(stranger.invite().bytes, from: stranger)
        return world
    }

    @Test("CANCEL's Reason tells an answer elsewhere from a cancelled call", arguments: reasons)
    func cancelReasonTellsAnswerElsewhereFromCancelledCall(_ reason: String?, _ end: EndReason) {
        var world = offered()
        let extra = reason.map { [(SIPHeaderName.reason, $0)] } ?? []
        world.receive(stranger.request(.cancel, extra: extra).bytes, from: stranger)
        #expect(world.ends(0, leg) == [end])
        #expect(world.caughtStatuses.suffix(2) == [200, 487])
    }

    @Test("BYE before an answer does, too", arguments: reasons)
    func byeBeforeAnswerDoesToo(_ reason: String?, _ end: EndReason) {
        var world = offered()
        world.command(0, .alert(leg))
        world.run(.milliseconds(100))
        let bye = stranger.request(
            .bye, sequence: 11, branch: "z9hG4bK-bye", toTag: world.tagForStranger,
            extra: reason.map { [(.reason, $0)] } ?? [])
        world.receive(bye.bytes, from: stranger)
        #expect(world.ends(0, leg) == [end])
        #expect(Set(world.caughtStatuses.suffix(2)) == [200, 487])
    }

    @Test("a call answered here was not answered elsewhere, whatever BYE says", arguments: reasons)
    func callAnsweredHereWasNotAnsweredElsewhereWhateverBYESays(_ reason: String?, _: EndReason) throws {
        var world = offered()
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let tag = try #require(world.tagForStranger)
        world.receive(stranger.request(.ack, branch: "z9hG4bK-ack", toTag: tag).bytes, from: stranger)
        let bye = stranger.request(
            .bye, sequence: 11, branch: "z9hG4bK-bye", toTag: tag, extra: reason.map { [(.reason, $0)] } ?? [])
        world.receive(bye.bytes, from: stranger)
        #expect(world.ends(0, leg) == [.hungUpThere])
    }

    @Test("a CANCEL of another call has no effect")
    func cancelOfAnotherCallHasNoEffect() {
        var world = offered()
        var other = stranger.request(
            .cancel, branch: "z9hG4bK-other", extra: [(.reason, "SIP;cause=200")])
        other.headers[.callID] = "another"
        world.receive(other.bytes, from: stranger)
        #expect(world.ends(0, leg).isEmpty)
        #expect(world.caughtStatuses.last == 481)
    }

    @Test(
        "the phone's own goodbye has its reason",
        arguments: [
            (nil, "Q.850;cause=16;text=\"Normal call clearing\""),
            (.mediaLost, "Q.850;cause=102;text=\"No media arrived any more\""),
            (.mediaFailed, "Q.850;cause=41;text=\"Media could not be set up\""),
            (.networkLost, "Q.850;cause=38;text=\"The network was lost\""),
            (.timedOut, "Q.850;cause=102;text=\"The call took too long to set up\""),
            (.tooLong, "Q.850;cause=16;text=\"The call reached its maximum time\""),
            (.shutDown, "Q.850;cause=16;text=\"The phone was shut down\""),
        ] as [(HangUpCause?, String)])
    func phoneOwnGoodbyeHasItsReason(_ cause: HangUpCause?, _ reason: String) throws {
        for isAnswered in [true, false] {
            var (world, invite) = try World.callingStranger()
            let response =
                isAnswered
                ? stranger.success(to: invite, tag: "x", body: Stranger.answer)
                : stranger.progress(to: invite, tag: "x")
            world.receive(response.bytes, from: stranger)
            world.command(0, .end(CallID(.phone, 1), because: cause))
            world.run(.milliseconds(100))
            let goodbye = try #require(world.caughtRequests.last)
            #expect(goodbye.method == (isAnswered ? .bye : .cancel) && goodbye.headers[.reason] == reason)
        }
    }
}
