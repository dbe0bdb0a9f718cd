import Base
import LineCore
import SIPCore
import Testing

@Suite("Transfers requested outside of the call")
struct TargetDialogTests {
    private let stranger = Stranger()
    private let other = Stranger(.init("203.0.113.9", 5060), callID: "another-dialog")
    private let leg = CallID(.line(.direct), 1)

    /// A REFER in a new dialog that names a call by the tags as its receiver knows them.
    private func refer(
        _ name: String?, from peer: Stranger, branch: String = "z9hG4bK-t", extra: [(SIPHeaderName, String)] = []
    ) -> SIPRequest {
        peer.request(
            .refer, branch: branch,
            extra: [(.referTo, "<sip:carol@198.51.100.3>"), (.require, "tdialog")]
                + (name.map { [(.targetDialog, $0)] } ?? []) + extra)
    }

    private func last(_ method: SIPMethod, _ world: World) -> SIPRequest? {
        world.caughtRequests.last { $0.method == method }
    }

    /// Peers that write the tags as they see them know them as well.
    @Test(
        "a far end that names the call in a new dialog is followed, and gets NOTIFY there",
        arguments: ["local-tag=TAG;remote-tag=stranger", "local-tag=stranger;remote-tag=TAG"])
    func farEndThatNamesCallInNewDialogIsFollowedAndGetsNOTIFYThere(tags: String) throws {
        var (world, tag) = try World.called(by: stranger)
        world.caught = []
        world.receive(refer("stranger-call;" + tags.replacing("TAG", with: tag), from: other).bytes, from: other)
        let accepted = try #require(world.caughtResponses.last)
        #expect(accepted.status == .accepted && accepted.headers.contains(.contact))
        #expect(world.referrals(0) == ["carol"])
        let own = try #require(try accepted.headers.to.tag)
        #expect(own != tag)
        let first = try #require(last(.notify, world))
        #expect(first.headers[.callID] == "another-dialog" && first.body == Array("SIP/2.0 100 Trying\r\n".utf8))
        #expect(try first.headers.from.tag == own && first.headers.to.tag == "stranger")
        world.receive(first.response(.ok).bytes, from: other)
        world.command(0, .declineReferral(leg))
        world.run(.milliseconds(100))
        let second = try #require(last(.notify, world))
        #expect(try second.headers.cSeq.number == (try first.headers.cSeq.number) + 1)
        #expect(second.headers[.callID] == "another-dialog")
        #expect(try second.headers.subscriptionState?.phase == .terminated)
        // The call is unaffected: its CSeq numbers continue.
        world.command(0, .end(leg))
        world.run(.milliseconds(100))
        let bye = try #require(last(.bye, world))
        #expect(try bye.headers.cSeq.number == 1)
        world.receive(bye.response(.ok).bytes, from: stranger)
        #expect(world.ends(0, leg) == [.hungUpHere])
    }

    @Test(
        "a REFER that names no active call, or only half of one, is refused",
        arguments: [
            (nil, 403), ("another-call;local-tag=TAG;remote-tag=stranger", 403),
            ("stranger-call;local-tag=TAG;remote-tag=x", 403),
            ("stranger-call;local-tag=x;remote-tag=stranger", 403),
            ("stranger-call;local-tag=TAG", 400), (";local-tag=TAG;remote-tag=stranger", 400),
        ] as [(String?, Int)])
    func referThatNamesNoActiveCallOrOnlyHalfOfOneIsRefused(name: String?, status: Int) throws {
        var (world, tag) = try World.called(by: stranger)
        world.caught = []
        world.receive(refer(name?.replacing("TAG", with: tag), from: other).bytes, from: other)
        #expect(world.caughtStatuses == [status] && world.referrals(0).isEmpty)
    }

    @Test(
        "a REFER from another source than the call's, or for a ringing call, is refused"
    )
    func referFromAnotherSourceThanCallOrForRingingCallIsRefused() throws {
        var (world, tag) = try World.called(by: stranger)
        let eavesdropper = Stranger(.init("203.0.113.10", 5060), callID: "evil")
        world.caught = []
        world.receive(
            refer("stranger-call;local-tag=\(tag);remote-tag=stranger", from: eavesdropper).bytes, from: eavesdropper)
        #expect(world.caughtStatuses == [403] && world.referrals(0).isEmpty)

        var ringing = World()
        ringing.add(Calls.direct("alice"))
        ringing.receive(stranger.invite().bytes, from: stranger)
        ringing.command(0, .alert(leg))
        ringing.run(.milliseconds(100))
        let early = try #require(ringing.tagForStranger)
        ringing.caught = []
        ringing.receive(refer("stranger-call;local-tag=\(early);remote-tag=stranger", from: other).bytes, from: other)
        #expect(ringing.caughtStatuses.contains(403) && ringing.referrals(0).isEmpty)
    }

    @Test("one REFER at a time is followed, and none without a Contact")
    func oneREFERAtTimeIsFollowedAndNoneWithoutContact() throws {
        var (world, tag) = try World.called(by: stranger)
        let name = "stranger-call;local-tag=\(tag);remote-tag=stranger"
        var nameless = refer(name, from: other, branch: "z9hG4bK-0")
        nameless.headers[.contact] = nil
        world.caught = []
        world.receive(nameless.bytes, from: other)
        #expect(world.caughtStatuses == [400])
        world.receive(refer(name, from: Stranger(callID: "one")).bytes, from: stranger)
        world.receive(refer(name, from: Stranger(callID: "two"), branch: "z9hG4bK-2").bytes, from: stranger)
        #expect(world.caughtStatuses == [400, 202, 491] && world.referrals(0).count == 1)
    }
}
