import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// Requests in a call from far ends that do something else than talk, or that miscount.
@Suite("Odd requests in a call")
struct OddRequestTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    private static let fax = "m=image 6000 udptl t38\r\na=T38FaxVersion:0\r\n"
    private static let head = "v=0\r\no=- 7 8 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\n"
    /// The voice line of the stranger's offers.
    private static let voice = Stranger.body.split(separator: "\r\n").suffix(3).map { $0 + "\r\n" }.joined()

    /// A BYE that the phone does not take would hold the line until its media are missed.
    @Test(
        "a BYE ends the call, whatever it says",
        arguments: [
            [(SIPHeaderName.cSeq, "10 BYE")], [(.cSeq, "1 BYE")], [(.cSeq, "2147483647 BYE")],
            [(.require, "x-billing")],
            [(.contentType, "application/x-statistics")], [(.contact, "nobody")],
            [(SIPHeaderName("Proxy-Require"), "x")],
            [(.reason, "x")], [(.route, "<")],
        ])
    func byeEndsCallWhateverItSays(_ extra: [(SIPHeaderName, String)]) throws {
        var (world, tag) = try World.called(by: stranger)
        let body = extra.contains { $0.0 == .contentType } ? "x" : ""
        let bye = stranger.request(.bye, sequence: 11, branch: "z9hG4bK-b", toTag: tag, body: body, extra: extra)
        world.receive(bye.bytes, from: stranger)
        #expect(world.caughtStatuses.last == 200 && world.ends(0, leg) == [.hungUpThere])
    }

    @Test("a BYE of a caller that hangs up before the ACK counts ends the call")
    func byeBeforeACKEndsCall() throws {
        var world = World()
        world.add(Calls.direct("alice"))
        world.receive(stranger.invite().bytes, from: stranger)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let bye = stranger.request(.bye, sequence: 11, branch: "z9hG4bK-b", toTag: world.tagForStranger)
        world.receive(bye.bytes, from: stranger)
        #expect(world.ends(0, leg) == [.hungUpThere])
        world.run(.seconds(40))
        #expect(world.lines[0].deadline == nil)
    }

    @Test(
        "a fax is refused, and the voice goes on",
        arguments: [fax, voice.replacing("7000", with: "0") + fax, fax + fax])
    func faxIsRefusedAndVoiceGoesOn(_ lines: String) throws {
        var (world, tag) = try World.called(by: stranger)
        let offer = stranger.request(.invite, sequence: 11, branch: "z9hG4bK-f", toTag: tag, body: Self.head + lines)
        world.receive(offer.bytes, from: stranger)
        #expect(world.caughtStatuses.last == 488 && world.ends(0, leg).isEmpty && world.renegotiated(0, leg).isEmpty)
        world.receive(stranger.request(.ack, sequence: 11, branch: "z9hG4bK-f", toTag: tag).bytes, from: stranger)
        let back = Self.head + Self.voice.replacing("7000", with: "7200")
        let again = stranger.request(.invite, sequence: 12, branch: "z9hG4bK-v", toTag: tag, body: back)
        world.receive(again.bytes, from: stranger)
        #expect(world.caughtStatuses.last == 200 && world.renegotiated(0, leg).last?.remote.port == 7_200)
    }

    /// A controller closes the first line and opens another one (RFC 3264 §8.1, §8.2).
    @Test("voice may move to another line, and the phone's next offer has all lines")
    func voiceMayMoveToAnotherLine() throws {
        var (world, tag) = try World.called(by: stranger)
        let body = Self.head + Self.voice.replacing("7000", with: "0") + Self.voice.replacing("7000", with: "7300")
        let move = stranger.request(.invite, sequence: 11, branch: "z9hG4bK-m", toTag: tag, body: body)
        world.receive(move.bytes, from: stranger)
        world.receive(stranger.request(.ack, sequence: 11, branch: "z9hG4bK-ma", toTag: tag).bytes, from: stranger)
        #expect(world.renegotiated(0, leg).last?.remote.port == 7_300)
        world.command(0, .hold(leg, true))
        world.run(.milliseconds(100))
        let hold = try #require(world.caughtRequests.last)
        let description = try SessionDescription(parsing: hold.body)
        #expect(hold.method == .invite && description.media.map { $0.port == 0 } == [true, false])
    }

    @Test(
        "requests without content are answered",
        arguments: [
            (SIPMethod.update, "application/sdp", 200), (.info, "application/dtmf-relay", 200),
            (.options, "application/sdp", 200),
            (.update, "x", 200),
        ])
    func requestsWithoutContentAreAnswered(_ method: SIPMethod, _ type: String, _ status: Int) throws {
        var (world, tag) = try World.called(by: stranger)
        var request = stranger.request(method, sequence: 11, branch: "z9hG4bK-e", toTag: tag)
        request.headers[.contentType] = type
        request.headers[.contact] = nil
        world.receive(request.bytes, from: stranger)
        #expect(world.caughtStatuses.last == status && world.ends(0, leg).isEmpty)
    }

    @Test("a repeated or older version of a description is followed")
    func repeatedOrOlderVersionIsFollowed() throws {
        var (world, tag) = try World.called(by: stranger)
        for (number, version) in ["7 7", "7 1", "9 7"].enumerated() {
            let sequence = UInt32(11 + number)
            let body = Stranger.body.replacing("o=- 7 7", with: "o=- \(version)")
                .replacing("7000", with: "\(7_400 + number)").replacing("111", with: "\(112 + number)")
            let offer = stranger.request(
                .invite, sequence: sequence, branch: "z9hG4bK-v\(number)", toTag: tag, body: body)
            world.receive(offer.bytes, from: stranger)
            let ack = stranger.request(.ack, sequence: sequence, branch: "z9hG4bK-va\(number)", toTag: tag)
            world.receive(ack.bytes, from: stranger)
            let agreed = try #require(world.renegotiated(0, leg).last)
            #expect(agreed.remote.port == UInt16(7_400 + number) && agreed.codec.sendPayloadType == UInt8(112 + number))
        }
    }
}
