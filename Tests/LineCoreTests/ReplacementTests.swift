import Base
import LineCore
import SIPCore
import Testing

/// Calls that replace another one (RFC 3891 §3).
@Suite("Replaces")
struct ReplacementTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    /// A call of the stranger to the first line, offered or answered.
    private func world(answered: Bool = true) -> World {
        var world = World()
        world.add(Calls.direct("alice"))
        world.run(.seconds(1))
        world.receive(stranger.invite().bytes, from: stranger)
        if answered {
            world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        } else {
            world.command(0, .alert(leg))
        }
        world.run(.milliseconds(100))
        let tag = world.tagForStranger
        if answered {
            world.receive(stranger.request(.ack, branch: "z9hG4bK-a", toTag: tag).bytes, from: stranger)
        }
        return world
    }

    /// Another peer's INVITE that names a dialog of the line.
    private func invite(_ replaces: String) -> SIPRequest {
        let other = Stranger(.init("203.0.113.10", 5060), callID: "other-call")
        return other.request(
            .invite, branch: "z9hG4bK-other", body: Stranger.body,
            extra: [(.replaces, replaces), (.require, "replaces")])
    }

    private func answer(to replaces: String, in world: World) -> (status: Int?, replaced: CallID??) {
        var world = world
        let other = Stranger(.init("203.0.113.10", 5060))
        let before = world.caught.count
        world.receive(invite(replaces).bytes, from: other)
        return (world.caught.count == before ? nil : world.caughtStatuses.last, world.replaced(0).dropFirst().last)
    }

    @Test("an established call is found by its tags")
    func establishedCallIsFoundByItsTags() throws {
        let world = world()
        let tag = try #require(world.tagForStranger)
        #expect(answer(to: "stranger-call;to-tag=\(tag);from-tag=stranger", in: world).replaced == leg)
        #expect(answer(to: "stranger-call;to-tag=\(tag);from-tag=stranger;early-only", in: world).status == 486)
        #expect(answer(to: "stranger-call;to-tag=stranger;from-tag=\(tag)", in: world).status == 481)
        #expect(answer(to: "another;to-tag=\(tag);from-tag=stranger", in: world).status == 481)
        #expect(answer(to: "stranger-call;to-tag=\(tag)", in: world).status == 400)
    }

    @Test("a ringing call cannot be replaced")
    func ringingCallCannotBeReplaced() throws {
        let world = world(answered: false)
        let tag = try #require(world.tagForStranger)
        #expect(answer(to: "stranger-call;to-tag=\(tag);from-tag=stranger", in: world).status == 481)
    }

    @Test("Replaces of an ended call is declined")
    func replacesOfEndedCallIsDeclined() throws {
        var world = world()
        let tag = try #require(world.tagForStranger)
        let bye = stranger.request(.bye, sequence: 11, branch: "z9hG4bK-bye", toTag: tag)
        world.receive(bye.bytes, from: stranger)
        #expect(world.ends(0, leg) == [.hungUpThere])
        #expect(answer(to: "stranger-call;to-tag=\(tag);from-tag=stranger", in: world).status == 603)
    }

    @Test("an unlisted caller may not replace a call")
    func unlistedCallerMayNotReplaceCall() {
        var world = World()
        world.add(Calls.direct("alice", accepts: .listed(["203.0.113.9"])))
        world.receive(stranger.invite().bytes, from: stranger)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let tag = world.tagForStranger ?? ""
        #expect(answer(to: "stranger-call;to-tag=\(tag);from-tag=stranger", in: world).status == 403)
    }

    @Test("our own ringing call may be answered by a third party")
    func ourOwnRingingCallMayBeAnsweredByThirdParty() throws {
        var world = World()
        world.add(Calls.direct("alice"))
        world.command(
            0, .dial(CallID(.phone, 1), target: "sip:mallory@203.0.113.9", account: .direct, MediaEndpoint(port: 4_000))
        )
        world.run(.seconds(1))
        let request = try #require(world.caughtRequests.first { $0.method == .invite })
        world.receive(request.response(.ringing, tag: "there").bytes, from: stranger)
        let tag = try #require(try request.headers.from.tag)
        let callID = try request.headers.callID
        var other = world
        other.receive(
            invite("\(callID);to-tag=\(tag);from-tag=there;early-only").bytes,
            from: Stranger(.init("203.0.113.10", 5060)))
        #expect(other.replaced(0) == [CallID(.phone, 1)])
    }
}
