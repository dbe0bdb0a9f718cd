import Base
import SDPCore
import Testing

@Suite("Codec negotiation")
struct CodecTests {
    struct Offer: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var ours = AudioCodec.allCases
        let lines: String
        let codec: AudioCodec
        let type: UInt8
        /// The clock and payload type of telephone events.
        var events: [Int: UInt8] = [:]
    }

    static let opus = "a=rtpmap:96 opus/48000/2\r\n"
    static let offers: [Offer] = [
        .init(testDescription: "static types need no rtpmap", lines: "0\r\n", codec: .pcmu, type: 0),
        .init(testDescription: "nor does A-law", lines: "3 8 0\r\n", codec: .pcma, type: 8),
        .init(testDescription: "nor G.722", lines: "4 9\r\n", codec: .g722, type: 9),
        .init(
            testDescription: "the first of the offer that is ours", lines: "18 8 96 0 9\r\n" + opus, codec: .pcma,
            type: 8),
        .init(testDescription: "Opus where it is first", lines: "96 8 0\r\n" + opus, codec: .opus, type: 96),
        .init(
            testDescription: "unsupported formats are skipped", ours: [.pcmu], lines: "96 9 8 0\r\n" + opus,
            codec: .pcmu, type: 0),
        .init(
            testDescription: "a dynamic type", lines: "98\r\na=rtpmap:98 g722/8000/1\r\n", codec: .g722, type: 98),
        .init(
            testDescription: "a static type in its rtpmap", lines: "0\r\na=rtpmap:0 PCMU/8000\r\n", codec: .pcmu,
            type: 0),
        .init(
            testDescription: "a static type that was given to something else",
            lines: "0 8\r\na=rtpmap:0 speex/8000\r\n", codec: .pcma, type: 8),
        .init(
            testDescription: "another rate is another codec",
            lines: "97 0\r\na=rtpmap:97 PCMA/16000\r\n", codec: .pcmu, type: 0),
        .init(
            testDescription: "events in the codec's clock",
            lines: "0 97 101\r\na=rtpmap:97 telephone-event/48000\r\na=rtpmap:101 telephone-event/8000\r\n",
            codec: .pcmu, type: 0, events: [8_000: 101]),
        .init(
            testDescription: "no events but those of another clock",
            lines: "9 97\r\na=rtpmap:97 telephone-event/48000\r\n", codec: .g722, type: 9),
        .init(
            testDescription: "comfort noise is not taken", lines: "8 13\r\na=rtpmap:13 CN/8000\r\n", codec: .pcma,
            type: 8),
    ]

    @Test("an offer is answered with the first common codec", arguments: offers)
    func offerIsAnsweredWithFirstCommonCodec(_ offer: Offer) throws {
        var ends = Ends(.init(), .init(codecs: offer.ours, opusPayloadType: 110, protection: .off))
        let description = try Ends.description("m=audio 7000 RTP/AVP " + offer.lines)
        let (answer, agreed) = try ends.called.answer(to: description, held: false, using: &ends.generator)
        #expect(agreed.media.codec.name == offer.codec)
        #expect(
            [agreed.media.codec.sendPayloadType, agreed.media.codec.receivePayloadType] == [offer.type, offer.type])
        #expect(agreed.media.telephoneEvents?.clockRate == offer.events.keys.first)
        #expect(agreed.media.telephoneEvents?.sendPayloadType == offer.events.values.first)
        // One codec, and the events beside it: the sent format is unambiguous.
        #expect(answer.media[0].formats == ([offer.type] + offer.events.values).map(String.init))
        #expect(answer.media[0].values(of: "fmtp").contains { $0.contains("useinbandfec") } == (offer.codec == .opus))
        #expect(answer.media[0].values(of: "ptime") == ["20"])
    }

    @Test(
        "an offer without a common codec is rejected",
        arguments: [
            "3\r\n", "3 18 97\r\na=rtpmap:97 speex/16000\r\n", "13 101\r\na=rtpmap:101 telephone-event/8000\r\n",
            "72\r\na=rtpmap:72 PCMU/8000\r\n", "96\r\na=rtpmap:96 opus/16000/2\r\n", "256 -8 08 x\r\n",
        ])
    func offerWithoutCommonCodecIsRejected(_ lines: String) throws {
        var ends = Ends(.init(), .init(protection: .off))
        let offer = try Ends.description("m=audio 7000 RTP/AVP " + lines)
        #expect(throws: NegotiationError.noCommonCodec) {
            try ends.called.answer(to: offer, held: false, using: &ends.generator)
        }
    }

    @Test("an offer has our codecs in our order, with events in every needed clock")
    func offerHasOurCodecsInOurOrderWithEventsInEveryNeededClock() throws {
        var ends = Ends()
        let all = ends.caller.offer(held: false, using: &ends.generator).media[0]
        #expect(all.formats == ["96", "9", "8", "0", "97", "98"])
        #expect(
            all.values(of: "rtpmap") == [
                "96 opus/48000/2", "9 G722/8000", "8 PCMA/8000", "0 PCMU/8000", "97 telephone-event/48000",
                "98 telephone-event/8000",
            ])
        ends = Ends(.init(codecs: [.pcmu, .g722]))
        let some = ends.caller.offer(held: false, using: &ends.generator).media[0]
        #expect(some.formats == ["0", "9", "98"])
        #expect(some.values(of: "fmtp") == ["98 0-15"])
    }

    struct Answer: Sendable {
        let lines: String
        /// Nil: the answer is rejected.
        let codec: AudioCodec?
        var sent: UInt8 = 0
        var received: UInt8 = 0
    }

    @Test(
        "an answer lists codecs in the order of sending",
        arguments: [
            Answer(lines: "0\r\n", codec: .pcmu),
            Answer(lines: "8 0\r\n", codec: .pcma, sent: 8, received: 8),
            Answer(lines: "9 96\r\n" + opus, codec: .g722, sent: 9, received: 9),
            // A number other than ours is their receiving number; ours is where we receive (RFC 3264 §6.1).
            Answer(lines: "120\r\na=rtpmap:120 opus/48000/2\r\n", codec: .opus, sent: 120, received: 96),
            Answer(lines: "3\r\n", codec: nil),
        ])
    func answerListsCodecsInOrderOfSending(_ answer: Answer) throws {
        var ends = Ends(.init(protection: .off))
        _ = ends.caller.offer(held: false, using: &ends.generator)
        let description = try Ends.description("m=audio 7000 RTP/AVP " + answer.lines)
        guard let codec = answer.codec else {
            #expect(throws: NegotiationError.noCommonCodec) { try ends.caller.conclude(description) }
            return
        }
        let agreed = try ends.caller.conclude(description)
        #expect(agreed.media.codec.name == codec)
        #expect(
            [agreed.media.codec.sendPayloadType, agreed.media.codec.receivePayloadType] == [
                answer.sent, answer.received,
            ])
    }

    @Test("an answer with an unoffered codec is rejected")
    func answerWithUnofferedCodecIsRejected() throws {
        var ends = Ends(.init(codecs: [.opus], protection: .off))
        _ = ends.caller.offer(held: false, using: &ends.generator)
        let answer = try Ends.description("m=audio 7000 RTP/AVP 0\r\n")
        #expect(throws: NegotiationError.noCommonCodec) { try ends.caller.conclude(answer) }
        #expect(ends.caller.isOffering)
    }

    @Test("two ends agree for every pair of lists, or not at all")
    func twoEndsAgreeForEveryPairOfListsOrNotAtAll() throws {
        let lists: [[AudioCodec]] = (1..<16).flatMap { chosen -> [[AudioCodec]] in
            let list = AudioCodec.allCases.enumerated().filter { chosen >> $0.offset & 1 == 1 }.map(\.element)
            return [list, list.reversed()]
        }
        for first in lists {
            for second in lists {
                var ends = Ends(.init(codecs: first), .init(codecs: second, opusPayloadType: 110))
                guard let codec = first.first(where: second.contains) else {
                    #expect(throws: NegotiationError.noCommonCodec) { try ends.negotiate() }
                    continue
                }
                let agreed = try ends.negotiate()
                #expect(agreed.caller.codec.name == codec && agreed.called.codec.name == codec)
                #expect(agreed.caller.codec.receivePayloadType == agreed.called.codec.sendPayloadType)
                #expect(agreed.caller.codec.sendPayloadType == agreed.called.codec.receivePayloadType)
                #expect(agreed.caller.telephoneEvents?.clockRate == codec.clockRate)
                #expect(
                    agreed.called.telephoneEvents?.receivePayloadType == agreed.caller.telephoneEvents?.sendPayloadType)
                #expect(
                    agreed.called.telephoneEvents?.sendPayloadType == agreed.caller.telephoneEvents?.receivePayloadType)
            }
        }
    }

    @Test("every codec that the answer kept is received, also under the far end's own free numbers")
    func everyCodecThatAnswerKeptIsReceived() throws {
        struct Answer {
            let lines: String
            let heard: [NegotiatedMedia.Format]?
        }
        let answers = [
            Answer(lines: "8 0 9\r\n", heard: [.init(.pcmu, payloadType: 0), .init(.g722, payloadType: 9)]),
            Answer(lines: "8\r\n", heard: nil),
            Answer(lines: "8 96\r\n" + Self.opus, heard: [.init(.opus, payloadType: 96)]),
            Answer(
                lines: "120 8\r\na=rtpmap:120 opus/48000/2\r\n",
                heard: [.init(.pcma, payloadType: 8), .init(.opus, payloadType: 120)]),
            // 97 are our events.
            Answer(lines: "97\r\na=rtpmap:97 opus/48000/2\r\n", heard: nil),
            // The same codec under two numbers.
            Answer(lines: "0 100\r\na=rtpmap:100 PCMU/8000\r\n", heard: [.init(.pcmu, payloadType: 100)]),
        ]
        for answer in answers {
            var ends = Ends(.init(protection: .off))
            _ = ends.caller.offer(held: false, using: &ends.generator)
            let agreed = try ends.caller.conclude(Ends.description("m=audio 7000 RTP/AVP " + answer.lines))
            #expect(agreed.media.otherFormats == answer.heard, "\(answer.lines)")
        }
        // Our own answer names one codec.
        var ends = Ends(.init(), .init(protection: .off))
        #expect(try ends.answer(Ends.description("m=audio 7000 RTP/AVP 8 0\r\n")).otherFormats == nil)
    }

    @Test("every telephone-event of our description is received, also under the far end's own number")
    func everyTelephoneEventOfOurDescriptionIsReceived() throws {
        // Chrome's offer: our answer names both clocks.
        var ends = Ends(.init(), .init(protection: .off))
        let chrome = "a=rtpmap:110 telephone-event/48000\r\na=rtpmap:126 telephone-event/8000\r\n"
        let offer = try Ends.description("m=audio 7000 RTP/AVP 111 110 126\r\n" + Ends.opus + chrome)
        let (answer, called) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(answer.media[0].formats == ["111", "110", "126"])
        #expect(
            called.media.telephoneEvents?.receivePayloadType == 110
                && called.media.telephoneEvents?.otherPayloadTypes == [126])
        // Chrome's answer.
        struct Answer {
            let lines: String
            let sent: UInt8
            let heard: [UInt8]
        }
        let answers = [
            Answer(
                lines: "96 97 98\r\n" + Self.opus
                    + "a=rtpmap:97 telephone-event/48000\r\na=rtpmap:98 telephone-event/8000\r\n", sent: 97,
                heard: [97, 98]),
            Answer(
                lines: "96 126\r\n" + Self.opus + "a=rtpmap:126 telephone-event/8000\r\n", sent: 126,
                heard: [97, 98, 126]),
            // Cisco announces its own number and sends with it.
            Answer(lines: "0 101\r\na=rtpmap:101 telephone-event/8000\r\n", sent: 101, heard: [97, 98, 101]),
            // Our Opus has this number.
            Answer(lines: "0 96\r\na=rtpmap:96 telephone-event/8000\r\n", sent: 96, heard: [97, 98]),
        ]
        for answer in answers {
            ends = Ends(.init(protection: .off))
            _ = ends.caller.offer(held: false, using: &ends.generator)
            let agreed = try ends.caller.conclude(Ends.description("m=audio 7000 RTP/AVP " + answer.lines))
            let events = try #require(agreed.media.telephoneEvents)
            #expect(events.sendPayloadType == answer.sent)
            #expect(([events.receivePayloadType] + (events.otherPayloadTypes ?? [])).sorted() == answer.heard)
        }
    }

    @Test("a later offer may change the codec either way, and a hold keeps it")
    func laterOfferMayChangeCodecEitherWayAndHoldKeepsIt() throws {
        var ends = Ends(.init(codecs: [.opus, .pcmu]), .init(protection: .off))
        let first = try Ends.description("m=audio 7000 RTP/AVP 96 0\r\n" + Self.opus)
        let (_, before) = try ends.called.answer(to: first, held: false, using: &ends.generator)
        let second = try Ends.description("m=audio 7000 RTP/AVP 0 98\r\na=rtpmap:98 telephone-event/8000\r\n")
        let (answer, after) = try ends.called.answer(to: second, held: false, using: &ends.generator)
        #expect(before.media.codec.name == .opus && after.media.codec.name == .pcmu)
        #expect(after.media.telephoneEvents?.clockRate == 8_000)
        #expect(answer.origin.version == 2 && answer.media[0].formats == ["0", "98"])
        let hold = ends.called.offer(held: true, using: &ends.generator)
        #expect(hold.media[0].formats == ["0", "98"])
        let held = try ends.called.conclude(
            Ends.description("m=audio 7000 RTP/AVP 0 98\r\na=rtpmap:98 telephone-event/8000\r\na=recvonly\r\n"))
        #expect(held.media.codec.name == .pcmu && held.media.direction == .sendonly)
    }
}
