import Base
import SDPCore
import Testing

@Suite("Redundant packets (RFC 2198)")
struct RedundancyTests {
    private static func offer(_ formats: String, _ lines: String) throws -> SessionDescription {
        try Ends.description("m=audio 7000 RTP/SAVP \(formats)\r\n" + lines + Ends.key)
    }

    @Test("redundancy is agreed on if offered, under the offer's numbers")
    func redundancyIsAgreedOnIfOfferedUnderOfferNumbers() throws {
        var ends = Ends()
        let offer = try Self.offer("111 63", Ends.opus + "a=rtpmap:63 red/48000/2\r\na=fmtp:63 111/111\r\n")
        let (answer, agreed) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        let types = [agreed.media.redundancy?.sendPayloadType, agreed.media.redundancy?.receivePayloadType]
        #expect(types == [63, 63])
        #expect(answer.media[0].formats == ["111", "63"])
        #expect(answer.media[0].values(of: "rtpmap").contains("63 red/48000/2"))
        #expect(answer.media[0].values(of: "fmtp").contains("63 111/111"))
        // And stay in our hold.
        let hold = ends.called.offer(held: true, using: &ends.generator)
        #expect(hold.media[0].formats == ["111", "63"])
        #expect(try ends.called.conclude(offer).media.redundancy == agreed.media.redundancy)
    }

    @Test("for a codec with another clock, redundancy is of the chosen one")
    func forCodecWithAnotherClockRedundancyIsOfChosenOne() throws {
        var ends = Ends(.init(), .init(codecs: [.pcmu]))
        let lines =
            Ends.opus + "a=rtpmap:63 red/48000/2\r\na=fmtp:63 111/111\r\na=rtpmap:121 red/8000\r\na=fmtp:121 0/0/0\r\n"
        let (answer, agreed) = try ends.called.answer(
            to: Self.offer("111 63 0 121", lines), held: false, using: &ends.generator)
        let types = [agreed.media.redundancy?.sendPayloadType, agreed.media.redundancy?.receivePayloadType]
        #expect(agreed.media.codec.name == .pcmu && types == [121, 121])
        #expect(answer.media[0].formats == ["0", "121"])
        #expect(answer.media[0].values(of: "rtpmap").contains("121 red/8000"))
    }

    @Test("our offers never have redundancy")
    func ourOffersNeverHaveRedundancy() throws {
        var ends = Ends()
        let offer = ends.caller.offer(held: false, using: &ends.generator)
        #expect(!offer.media[0].values(of: "rtpmap").contains { $0.contains("red") })
        ends.caller.withdraw()
        let agreed = try ends.negotiate()
        #expect(agreed.caller.redundancy == nil && agreed.called.redundancy == nil)
    }

    @Test(
        "redundancy of other or unknown formats is dropped",
        arguments: [
            "a=rtpmap:63 red/48000/2\r\n", "a=rtpmap:63 red/48000/2\r\na=fmtp:63 0/0\r\n",
            "a=rtpmap:63 red/48000/2\r\na=fmtp:63 111/0\r\n", "a=rtpmap:63 red/8000\r\na=fmtp:63 111/111\r\n",
            "a=rtpmap:63 red\r\na=fmtp:63 111/111\r\n", "a=rtpmap:63 red/48000/2\r\na=fmtp:63 63/63\r\n",
            "a=rtpmap:63 red/48000/2\r\na=fmtp:63 ///\r\n", "a=rtpmap:63 red/48000/2\r\na=fmtp:63 999/111\r\n",
        ])
    func redundancyOfOtherOrUnknownFormatsIsDropped(_ lines: String) throws {
        var ends = Ends()
        let (answer, agreed) = try ends.called.answer(
            to: Self.offer("111 63", Ends.opus + lines), held: false, using: &ends.generator)
        #expect(agreed.media.redundancy == nil && answer.media[0].formats == ["111"])
    }
}
