import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// A line with optional protection, and far ends that reject it in different ways.
@Suite("Optional protection")
struct OptionalProtectionTests {
    private let stranger = Stranger()
    private let leg = CallID(.phone, 1)

    private static let clearAnswer =
        "v=0\r\no=- 7 7 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\nm=audio 7000 RTP/AVP 0\r\n"
    private static let rejectedLine = clearAnswer.replacing("audio 7000 RTP/AVP", with: "audio 0 RTP/SAVP")

    /// A call of the line, which has sent its first INVITE.
    private func calling(_ policy: ProtectionPolicy = .offered) throws -> (world: World, invite: SIPRequest) {
        var world = World()
        var configuration = Calls.direct("alice")
        configuration.media.protection = policy
        world.add(configuration)
        world.command(0, .dial(leg, target: "sip:x@203.0.113.9", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        return (world, try #require(world.caughtRequests.first))
    }

    private func invites(_ world: World) -> [SIPRequest] { world.caughtRequests.filter { $0.method == .invite } }

    private func line(_ request: SIPRequest) throws -> MediaDescription {
        try #require(SessionDescription(parsing: request.body).media.first)
    }

    @Test("a rejected call is made once more in clear", arguments: [415, 488, 606])
    func rejectedCallIsMadeOnceMoreInClear(status: Int) throws {
        var (world, first) = try calling()
        #expect(try line(first).transport == "RTP/SAVP" && line(first).hasFlag("crypto"))
        world.receive(first.response(SIPStatus(status), tag: "one").bytes, from: stranger)
        let second = try #require(invites(world).last)
        #expect(try second != first && line(second).transport == "RTP/AVP" && !line(second).hasFlag("crypto"))
        #expect(world.ends(0, leg).isEmpty)
        world.receive(stranger.success(to: second, tag: "two", body: Self.clearAnswer).bytes, from: stranger)
        let agreed = try #require(world.agreed(0, leg))
        #expect(agreed.protection == nil && agreed.codec.name == .pcmu)
    }

    @Test("a gateway may reject by Q.850 cause")
    func gatewayMayRejectByQ850Cause() throws {
        var (world, first) = try calling()
        var response = first.response(SIPStatus(503), tag: "one")
        response.headers[.reason] = "Q.850;cause=88"
        world.receive(response.bytes, from: stranger)
        #expect(try line(#require(invites(world).last)).transport == "RTP/AVP")
    }

    @Test("the second rejection ends the call")
    func secondRejectionEndsCall() throws {
        var (world, first) = try calling()
        world.receive(first.response(.notAcceptableHere, tag: "one").bytes, from: stranger)
        let second = try #require(invites(world).last)
        world.receive(second.response(.notAcceptableHere, tag: "two").bytes, from: stranger)
        world.run(.seconds(3))
        #expect(world.ends(0, leg) == [.incompatible] && Set(invites(world).map(\.bytes)).count == 2)
    }

    @Test("any other response ends the call at once", arguments: [403, 404, 486, 500, 603])
    func anyOtherResponseEndsCallAtOnce(status: Int) throws {
        var (world, first) = try calling()
        world.receive(first.response(SIPStatus(status), tag: "one").bytes, from: stranger)
        #expect(invites(world).count == 1 && world.ends(0, leg).count == 1)
    }

    @Test("mandatory protection is never dropped", arguments: [ProtectionPolicy.mandatory, .off])
    func mandatoryProtectionIsNeverDropped(_ policy: ProtectionPolicy) throws {
        for isLine in [false, true] {
            var (world, first) = try calling(policy)
            if isLine {
                world.receive(stranger.success(to: first, tag: "one", body: Self.rejectedLine).bytes, from: stranger)
            } else {
                world.receive(first.response(.notAcceptableHere, tag: "one").bytes, from: stranger)
            }
            world.run(.seconds(3))
            #expect(invites(world).count == 1 && world.ends(0, leg) == [.incompatible])
        }
    }

    @Test("a call that was hung up is not repeated")
    func hungUpCallIsNotRepeated() throws {
        var (world, first) = try calling()
        world.receive(stranger.progress(to: first, tag: "one").bytes, from: stranger)
        world.command(0, .end(leg))
        world.run(.milliseconds(100))
        world.receive(first.response(.notAcceptableHere, tag: "one").bytes, from: stranger)
        #expect(invites(world).count == 1 && world.ends(0, leg) == [.hungUpHere])
    }

    @Test("a rejected SRTP line is offered in clear in the same call")
    func rejectedSRTPLineIsOfferedInClearInSameCall() throws {
        var (world, first) = try calling()
        world.receive(stranger.success(to: first, tag: "one", body: Self.rejectedLine).bytes, from: stranger)
        #expect(world.agreed(0, leg) == nil && world.ends(0, leg).isEmpty)
        let second = try #require(invites(world).last)
        #expect(try second.headers.to.tag == "one" && line(second).transport == "RTP/AVP")
        #expect(try !line(second).hasFlag("crypto"))
        world.receive(stranger.success(to: second, tag: "one", body: Self.clearAnswer).bytes, from: stranger)
        #expect(try #require(world.agreed(0, leg)).protection == nil)
        #expect(world.renegotiated(0, leg).isEmpty && world.ends(0, leg).isEmpty)
        // It is a normal call.
        world.command(0, .hold(leg, true))
        world.run(.milliseconds(100))
        #expect(try line(#require(invites(world).last)).hasFlag("sendonly"))
    }

    @Test("the clear line may be rejected, too")
    func clearLineMayBeRejectedToo() throws {
        for isAnswer in [false, true] {
            var (world, first) = try calling()
            world.receive(stranger.success(to: first, tag: "one", body: Self.rejectedLine).bytes, from: stranger)
            let second = try #require(invites(world).last)
            if isAnswer {
                world.receive(stranger.success(to: second, tag: "one", body: Self.rejectedLine).bytes, from: stranger)
            } else {
                world.receive(second.response(.notAcceptableHere, tag: "one").bytes, from: stranger)
            }
            world.run(.seconds(3))
            #expect(world.ends(0, leg) == [.incompatible] && world.caughtRequests.last?.method == .bye)
            #expect(world.agreed(0, leg) == nil)
        }
    }

    @Test("a far end that offers clear media first is accepted as usual")
    func farEndThatOffersClearMediaFirstIsAcceptedAsUsual() throws {
        var (world, first) = try calling()
        world.isLocating = false
        world.receive(stranger.success(to: first, tag: "one", body: Self.rejectedLine).bytes, from: stranger)
        let offer = stranger.request(.invite, in: first, tag: "one", sequence: 1, body: Self.clearAnswer)
        world.receive(offer.bytes, from: stranger)
        #expect(try #require(world.agreed(0, leg)).protection == nil && world.renegotiated(0, leg).isEmpty)
        world.receive(stranger.request(.ack, in: first, tag: "one", sequence: 1).bytes, from: stranger)
        world.isLocating = true
        world.run(.seconds(1))
        #expect(world.ends(0, leg).isEmpty && Set(invites(world).map(\.bytes)).count == 1)
    }

    @Test("a caller without an offer and without SRTP understands ours")
    func callerWithoutOfferAndWithoutSRTPUnderstandsOurs() throws {
        var world = World()
        var configuration = Calls.direct("alice")
        configuration.media.protection = .offered
        world.add(configuration)
        let called = CallID(.line(.direct), 1)
        world.receive(stranger.request(.invite).bytes, from: stranger)
        world.command(0, .answer(called, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let offer = try #require(world.caughtResponses.last { $0.status == .ok })
        let media = try #require(SessionDescription(parsing: offer.body).media.first)
        #expect(media.transport == "RTP/AVP" && media.hasFlag("crypto"))
        let tag = world.tagForStranger
        // It refuses even that, and is asked once more.
        let ack = stranger.request(.ack, branch: "z9hG4bK-ack", toTag: tag, body: Self.rejectedLine)
        world.receive(ack.bytes, from: stranger)
        let second = try #require(invites(world).last)
        #expect(try !line(second).hasFlag("crypto"))
        world.receive(stranger.success(to: second, tag: "stranger", body: Self.clearAnswer).bytes, from: stranger)
        #expect(try #require(world.agreed(0, called)).protection == nil)
    }
}
