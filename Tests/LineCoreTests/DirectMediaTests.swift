import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// A server that connects two of its telephones, and then leaves the media path (Asterisk's `direct_media`). Its
/// re-INVITE with the other telephone's address comes right after its ACK.
@Suite("Direct media")
struct DirectMediaTests {
    private let leg = CallID(.line(.direct), 1)
    private let caller = Stranger(World.serverEndpoint)

    /// The server's offer with the address of a third host, as its next version.
    private static let direct = Stranger.body
        .replacing("o=- 7 7", with: "o=- 7 8")
        .replacing("c=IN IP4 203.0.113.9", with: "c=IN IP4 198.51.100.20")
        .replacing("audio 7000", with: "audio 7400")

    /// The ACK and the re-offer arrive in order, and reversed, as UDP may deliver them.
    @Test("voice moves at once to a third address if the account's server asks for it", arguments: [false, true])
    func voiceMovesAtOnceToThirdAddressIfAccountServerAsksForIt(isOvertaken: Bool) throws {
        var world = World.registered()
        world.receiveFromServer(caller.request(.invite, body: Stranger.body))
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(30))
        let tag = try #require(world.serversTag)
        let ack = caller.request(.ack, branch: "z9hG4bK-ack", toTag: tag)
        let move = caller.request(.invite, sequence: 11, branch: "z9hG4bK-direct", toTag: tag, body: Self.direct)
        for request in isOvertaken ? [move, ack] : [ack, move] {
            world.tell(0, .received(request.bytes, Self.flow))
        }
        world.run(.milliseconds(100))
        let agreed = try #require(world.renegotiated(0, leg).last)
        #expect(agreed.remote.host == "198.51.100.20" && agreed.remote.port == 7_400)
        #expect(agreed.protection != nil && world.ends(0, leg).isEmpty)
        // The server returns to the media path to end the call.
        let back = Stranger.body.replacing("o=- 7 7", with: "o=- 7 9")
        world.receiveFromServer(
            caller.request(.invite, sequence: 12, branch: "z9hG4bK-back", toTag: tag, body: back))
        #expect(world.renegotiated(0, leg).last?.remote.port == 7_000)
        world.receiveFromServer(caller.request(.bye, sequence: 13, branch: "z9hG4bK-bye", toTag: tag))
        #expect(world.ends(0, leg) == [.hungUpThere])
    }

    /// An automatically answered call through the server whose ACK came.
    private func unattended() throws -> (world: World, tag: String) {
        var world = World.registered()
        world.receiveFromServer(caller.request(.invite, body: Stranger.body))
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: true))
        world.run(.milliseconds(30))
        let tag = try #require(world.serversTag)
        world.receiveFromServer(caller.request(.ack, branch: "z9hG4bK-ack", toTag: tag))
        #expect(world.agreed(0, leg) != nil)
        return (world, tag)
    }

    private func update(_ tag: String) -> SIPRequest {
        caller.request(.update, sequence: 11, branch: "z9hG4bK-update", toTag: tag, body: Self.direct)
    }

    /// The final status of the UPDATE.
    private func updateStatus(_ world: World) -> Int? {
        world.heard.lazy.compactMap { bytes -> Int? in
            guard case .response(let response)? = try? SIPMessage(bytes.span),
                response.headers[.cSeq]?.hasSuffix("UPDATE") == true
            else { return nil }
            return response.status.code
        }.first
    }

    /// The line's re-INVITE, which the server received.
    private func proof(_ world: World) -> SIPRequest? {
        world.heard.lazy.compactMap { bytes -> SIPRequest? in
            guard case .request(let request)? = try? SIPMessage(bytes.span), request.method == .invite else {
                return nil
            }
            return request
        }.first
    }

    /// The status does not matter: only a host that received the re-INVITE can respond.
    @Test(
        "the server's UPDATE moves an automatically answered call's voice once it answers a re-INVITE",
        arguments: [200, 488, 491])
    func updateOfTheServer(status: Int) throws {
        var (world, tag) = try unattended()
        world.server?.isSilent = true
        world.receiveFromServer(update(tag))
        #expect(updateStatus(world) == 200 && world.renegotiated(0, leg).isEmpty)
        let reinvite = try #require(proof(world))
        #expect(try SessionDescription(parsing: reinvite.body).media[0].hasFlag("sendrecv"))
        let answer = Stranger.answer(Self.direct)
            .replacing("SAVP 96", with: "SAVP 111").replacing("rtpmap:96", with: "rtpmap:111")
        var response = reinvite.response(SIPStatus(status))
        response.headers[.contact] = "<sip:pbx@192.0.2.100:5060>"
        if status == 200 {
            response.headers.set(.contentType, MediaType.sdp)
            response.body = Array(answer.utf8)
        }
        world.receiveFromServer(response)
        let moved = world.renegotiated(0, leg).map(\.remote.host)
        #expect(moved == ["198.51.100.20"])
        world.run(.seconds(5))
        #expect(world.ends(0, leg).isEmpty)
    }

    @Test("without an answer to the re-INVITE the voice stays")
    func withoutAnswerToReINVITEVoiceStays() throws {
        var (world, tag) = try unattended()
        world.server?.isSilent = true
        world.receiveFromServer(update(tag))
        world.run(.seconds(10))
        #expect(world.renegotiated(0, leg).isEmpty)
    }

    @Test("an UPDATE from elsewhere moves nothing")
    func updateFromElsewhereMovesNothing() throws {
        var world = World.registered()
        let tag = try world.answerServersCall(of: caller)
        let move = caller.request(.invite, sequence: 11, branch: "z9hG4bK-direct", toTag: tag, body: Self.direct)
        for place in Elsewhere.all {
            world.carry(move.bytes, from: place.endpoint, to: World.endpoint(0), over: place.stream)
            world.run(.milliseconds(100))
        }
        #expect(world.renegotiated(0, leg).isEmpty)
    }

    private static let flow = Flow(.udp, local: World.endpoint(0), remote: World.serverEndpoint)
}
