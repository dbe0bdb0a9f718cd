import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// A server that connects two of its telephones, and then takes itself out of their voice's way (Asterisk's
/// `direct_media`): its re-INVITE with the address of the other telephone comes right behind its ACK.
@Suite("Direct media")
struct DirectMediaTests {
    private let leg = LegID(.remote, 1)
    private let caller = Stranger(World.serverEndpoint)

    /// The server's offer with the address of a third host, as its next version.
    private static let direct = Stranger.body
        .replacing("o=- 7 7", with: "o=- 7 8")
        .replacing("c=IN IP4 203.0.113.9", with: "c=IN IP4 198.51.100.20")
        .replacing("audio 7000", with: "audio 7400")

    /// The ACK and the re-offer come in the order of sending, and the other way round, as UDP may deliver them.
    @Test("voice goes to a third address at once where the account's server says so", arguments: [false, true])
    func rightBehindTheACK(isOvertaken: Bool) throws {
        var world = World.registered()
        world.receiveFromServer(caller.request(.invite, body: Stranger.body))
        world.command(0, .answer(leg, media: LocalMedia(port: 4_000)))
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
        // It comes back into the way to end the call.
        let back = Stranger.body.replacing("o=- 7 7", with: "o=- 7 9")
        world.receiveFromServer(
            caller.request(.invite, sequence: 12, branch: "z9hG4bK-back", toTag: tag, body: back))
        #expect(world.renegotiated(0, leg).last?.remote.port == 7_000)
        world.receiveFromServer(caller.request(.bye, sequence: 13, branch: "z9hG4bK-bye", toTag: tag))
        #expect(world.ends(0, leg) == [.hungUpThere])
    }

    @Test("nobody else moves it there")
    func fromElsewhere() throws {
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
