import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// Offers and answers in multipart bodies (RFC 5621).
@Suite("Multipart bodies")
struct BodyTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)
    private static let kind = "multipart/mixed;boundary=\"one part\""

    private static func multipart(_ body: String = Stranger.body, beside head: String? = nil) -> String {
        let other = head.map { "--one part\r\n\($0)\r\n\r\n<ticket/>\r\n" } ?? ""
        return other + "--one part\r\nContent-Type: application/sdp\r\n\r\n\(body)\r\n--one part--\r\n"
    }

    private func world() -> World {
        var world = World()
        world.add(Calls.direct("alice"))
        return world
    }

    @Test("an offer beside an optional body part counts as an offer, in an INVITE and a re-INVITE")
    func offerBesideOptionalBodyPartCountsAsOffer() throws {
        var world = world()
        let head = "Content-Type: application/x-ticket\r\nContent-Disposition: signal;handling=optional"
        let body = Self.multipart(beside: head)
        world.receive(
            stranger.request(.invite, body: body, extra: [(.contentType, Self.kind)]).bytes, from: stranger)
        #expect(world.offeredLegs(0) == [leg])
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let agreed = try #require(world.agreed(0, leg))
        #expect(agreed.remote.port == 7_000)
        let tag = world.tagForStranger
        world.receive(stranger.request(.ack, branch: "z9hG4bK-ack", toTag: tag).bytes, from: stranger)
        let moved = Self.multipart(Stranger.body.replacing("audio 7000", with: "audio 7002"), beside: head)
        let change = stranger.request(
            .invite, sequence: 11, branch: "z9hG4bK-re", toTag: tag, body: moved, extra: [(.contentType, Self.kind)])
        world.receive(change.bytes, from: stranger)
        #expect(world.renegotiated(0, leg).map(\.remote.port) == [7_002])
    }

    @Test("a required but unsupported body part refuses the call, and a re-INVITE")
    func requiredButUnsupportedBodyPartRefusesCallAndReINVITE() throws {
        var world = world()
        let body = Self.multipart(beside: "Content-Type: application/x-ticket")
        let extra = [(SIPHeaderName.contentType, Self.kind)]
        world.receive(stranger.request(.invite, body: body, extra: extra).bytes, from: stranger)
        #expect(world.caughtStatuses == [415])
        #expect(world.caughtMessages[0].headers[.accept]?.contains("multipart/mixed") == true)
        #expect(world.offeredLegs(0).isEmpty)
        world.receive(stranger.request(.ack, body: "").bytes, from: stranger)
        let second = Stranger(callID: "second")
        world.receive(second.request(.invite, branch: "z9hG4bK-2", body: Stranger.body).bytes, from: second)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let ok = try #require(world.caughtMessages.last)
        let tag = try ok.headers.to.tag
        world.receive(second.request(.ack, branch: "z9hG4bK-3", toTag: tag).bytes, from: second)
        let change = second.request(
            .invite, sequence: 11, branch: "z9hG4bK-4", toTag: tag, body: body, extra: extra)
        world.receive(change.bytes, from: second)
        #expect(world.caughtStatuses.last == 415)
        #expect(world.ends(0, leg).isEmpty)
    }

    @Test("an encoded offer is refused with the accepted encodings")
    func encodedOfferIsRefusedWithAcceptedEncodings() {
        var world = world()
        let extra = [(SIPHeaderName("Content-Encoding"), "gzip")]
        world.receive(stranger.request(.invite, body: Stranger.body, extra: extra).bytes, from: stranger)
        #expect(world.caughtStatuses == [415])
        #expect(world.caughtMessages[0].headers[SIPHeaderName("Accept-Encoding")] == "identity")
    }

    @Test("an answer beside an unknown body part counts as an answer")
    func answerBesideUnknownBodyPartCountsAsAnswer() throws {
        var (world, invite) = try World.callingStranger()
        let body = Self.multipart(Stranger.answer, beside: "Content-Type: a/b")
        var success = stranger.success(to: invite, tag: "x", body: body)
        success.headers[.contentType] = Self.kind
        world.receive(success.bytes, from: stranger)
        #expect(world.agreed(0, CallID(.phone, 1)) != nil)
    }
}
