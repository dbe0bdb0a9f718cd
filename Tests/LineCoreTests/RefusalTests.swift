import Base
import LineCore
import SIPCore
import Testing

@Suite("Refusals with reasons")
struct RefusalTests {
    private let stranger = Stranger()

    /// A body and its response: the status, and the number of the warning (RFC 3261 §20.43).
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let body: String
        let status: SIPStatus
        let warning: Int

        static let all = [
            Row(
                testDescription: "no common codec", body: Stranger.body.replacing("opus", with: "speex"),
                status: .notAcceptableHere, warning: 305),
            Row(
                testDescription: "pictures only", body: Stranger.body.replacing("m=audio", with: "m=video"),
                status: .notAcceptableHere, warning: 304),
            Row(
                testDescription: "another transport", body: Stranger.body.replacing("RTP/SAVP", with: "TCP/MSRP"),
                status: .notAcceptableHere, warning: 302),
            Row(
                testDescription: "a name for an address",
                body: Stranger.body.replacing("c=IN IP4 203.0.113.9", with: "c=IN IP4 far.example"),
                status: .notAcceptableHere, warning: 301),
            Row(
                testDescription: "no description", body: "v=0\r\nrubbish\r\n", status: .badRequest, warning: 399),
        ]
    }

    @Test("a refusal has its own phrase and a warning with the reason", arguments: Row.all)
    func refusalHasItsOwnPhraseAndWarningWithReason(_ row: Row) throws {
        var world = World()
        world.add(Calls.direct("alice"))
        world.receive(stranger.invite(body: row.body).bytes, from: stranger)
        try expect(row.status, row.warning, world)
        #expect(world.offeredLegs(0).isEmpty)
    }

    /// Forged datagrams would each be answered many times, until an ACK that never comes.
    @Test("of too frequent calls each is refused once, and no refusal is repeated")
    func ofTooFrequentCallsEachIsRefusedOnceAndNoRefusalIsRepeated() throws {
        var world = World()
        world.add(Calls.direct("alice"))
        for number in 0..<40 {
            let caller = Stranger(callID: "flood-\(number)")
            world.receive(
                caller.request(.invite, branch: "z9hG4bK-f\(number)", body: Stranger.body).bytes, from: caller)
        }
        world.run(.seconds(40))
        // A refusal for lack of room is repeated until its ACK, and has no Retry-After.
        let refusals = world.caughtMessages.count { message in
            guard case .response(let response) = message else { return false }
            return response.status == .busyHere && response.headers[.retryAfter] != nil
        }
        #expect((20...40).contains(refusals), "\(refusals) refusals")
    }

    @Test("an INVITE with an unusable path is refused with that reason")
    func inviteWithUnusablePathIsRefusedWithThatReason() throws {
        var world = World()
        world.add(Calls.direct("alice"))
        var invite = stranger.invite()
        invite.headers[.recordRoute] = "nowhere"
        world.receive(invite.bytes, from: stranger)
        try expect(.badRequest, 399, world)
    }

    @Test("refusals inside a call have a reason, too", arguments: [SIPMethod.invite, .update])
    func refusalsInsideCallHaveReasonToo(method: SIPMethod) throws {
        var world = World()
        world.add(Calls.direct("alice"))
        world.receive(stranger.invite().bytes, from: stranger)
        world.command(0, .answer(CallID(.line(.direct), 1), MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        world.receive(stranger.request(.ack, branch: "z9hG4bK-a", toTag: world.tagForStranger).bytes, from: stranger)
        let request = stranger.request(
            method, sequence: 11, branch: "z9hG4bK-b", toTag: world.tagForStranger,
            body: Stranger.body.replacing("opus", with: "speex"))
        world.receive(request.bytes, from: stranger)
        try expect(.notAcceptableHere, 305, world)
        #expect(world.ends(0, CallID(.line(.direct), 1)).isEmpty)
    }

    private func expect(_ status: SIPStatus, _ warning: Int, _ world: World) throws {
        let response = try #require(world.caughtResponses.last)
        #expect(response.status == status && response.phrase == status.phrase)
        let warnings = try response.headers.warnings
        #expect(warnings.map(\.code) == [warning] && warnings.first?.agent == "offhook")
    }
}
