import Base
import ICECore
import LineCore
import SDPCore
import SIPCore
import Testing

/// Offers that a phone with one audio stream and one address family rarely sees.
@Suite("Offers of other kinds")
struct OfferKindsTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    private static let head = "v=0\r\no=- 7 7 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\n"
    private static let six = Stranger.body.replacing("c=IN IP4 203.0.113.9", with: "c=IN IP6 2001:db8::9")

    private func world() -> World {
        var world = World()
        var configuration = Calls.direct("alice")
        configuration.media.families = [.version4]
        world.add(configuration)
        return world
    }

    @Test("no phone rings for a caller of an unsupported address family")
    func noPhoneRingsForCallerOfUnsupportedAddressFamily() throws {
        var world = world()
        world.receive(stranger.invite(body: Self.six).bytes, from: stranger)
        #expect(world.offeredLegs(0).isEmpty)
        let refusal = try #require(world.caughtResponses.last)
        #expect(refusal.status == .notAcceptableHere && refusal.headers[.warning]?.hasPrefix("301 ") == true)
        let reasons = world.outputs(0).compactMap {
            if case .event(.refused(_, _, let reason)) = $0 { reason } else { nil }
        }
        #expect(reasons == [.unusableMedia])
    }

    @Test("of lines for both families the supported one is answered")
    func ofLinesForBothFamiliesSupportedOneIsAnswered() throws {
        var world = world()
        let lines = "a=mid:1\r\nm=audio 7100 RTP/SAVP 111\r\nc=IN IP4 203.0.113.9\r\na=mid:2\r\n"
        let body = Self.six + lines + Stranger.body.split(separator: "\r\n").suffix(2).map { $0 + "\r\n" }.joined()
        world.receive(stranger.invite(body: body).bytes, from: stranger)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        #expect(world.agreed(0, leg)?.remote == MediaAddress(host: "203.0.113.9", port: 7_100))
    }

    @Test("in a call, an offer of the other family changes nothing")
    func inCallOfferOfOtherFamilyChangesNothing() throws {
        var world = world()
        let tag = try world.answerCall(of: stranger)
        let move = stranger.request(.invite, sequence: 11, branch: "z9hG4bK-six", toTag: tag, body: Self.six)
        world.receive(move.bytes, from: stranger)
        #expect(world.caughtStatuses.last == 488 && world.renegotiated(0, leg).isEmpty && world.ends(0, leg).isEmpty)
    }

    /// A controller that adds the media later (RFC 3725 §4.4).
    @Test("an offer without media is answered without media, and the next one brings it")
    func offerWithoutMediaIsAnsweredWithoutMediaAndNextOneBringsIt() throws {
        for awaitsACK in [false, true] {
            var world = world()
            world.receive(stranger.request(.invite, body: Self.head).bytes, from: stranger)
            world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: awaitsACK))
            world.run(.milliseconds(100))
            let answer = try #require(world.caughtResponses.last { $0.status == .ok })
            #expect(try SessionDescription(parsing: answer.body).media.isEmpty)
            let tag = world.tagForStranger
            world.receive(stranger.request(.ack, branch: "z9hG4bK-a1", toTag: tag).bytes, from: stranger)
            #expect(world.agreed(0, leg) == nil && world.ends(0, leg).isEmpty)
            let offer = stranger.request(.invite, sequence: 11, branch: "z9hG4bK-m", toTag: tag, body: Stranger.body)
            world.receive(offer.bytes, from: stranger)
            #expect(
                (world.agreed(0, leg) == nil) == awaitsACK, "nothing is reported before the ACK of an automatic answer")
            world.receive(stranger.request(.ack, sequence: 11, branch: "z9hG4bK-a2", toTag: tag).bytes, from: stranger)
            #expect(world.agreed(0, leg)?.remote.port == 7_000)
            #expect(world.renegotiated(0, leg).isEmpty && world.ends(0, leg).isEmpty)
        }
    }
}
