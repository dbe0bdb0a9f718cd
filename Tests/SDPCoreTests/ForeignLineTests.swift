import Base
import SDPCore
import Testing

/// An audio offer with lines that an audio phone cannot use.
struct ForeignLines: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var head = "v=0\r\no=- 7 7 IN IP4 198.51.100.7\r\ns=-\r\nc=IN IP4 198.51.100.7\r\nt=0 0\r\n"
    var before = ""
    var after = ""
    var raw: [UInt8] = []

    var bytes: [UInt8] {
        Array((head + before).utf8) + raw + Array(("m=audio 7000 RTP/AVP 0\r\n" + after).utf8)
    }
}

@Suite("Unsupported media lines")
struct ForeignLineTests {
    static func origin(_ origin: String) -> String {
        "v=0\r\n" + origin + "s=-\r\nc=IN IP4 198.51.100.7\r\nt=0 0\r\n"
    }

    static let latin1: [UInt8] = [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72, 0x0D, 0x0A]
    static let many = String(repeating: "a=rtcp-fb:96 nack\r\n", count: 2_000)

    static let lines: [ForeignLines] = [
        .init(
            testDescription: "a session number of 40 digits",
            head: origin("o=- 1234567890123456789012345678901234567890 1 IN IP4 h\r\n")),
        .init(
            testDescription: "a version of 40 digits",
            head: origin("o=- 1 1234567890123456789012345678901234567890 IN IP4 h\r\n")),
        .init(testDescription: "a user with a space", head: origin("o=SIP User 1 1 IN IP4 h\r\n")),
        .init(testDescription: "a hexadecimal session number", head: origin("o=- 0xAF 1 IN IP4 h\r\n")),
        .init(testDescription: "an empty origin", head: origin("o=\r\n")),
        .init(testDescription: "no origin", head: origin("")),
        .init(
            testDescription: "no session name", head: "v=0\r\no=- 7 7 IN IP4 h\r\nc=IN IP4 198.51.100.7\r\nt=0 0\r\n"),
        .init(testDescription: "two session names", before: "s=again\r\n"),
        .init(testDescription: "an origin behind a media line", after: "o=- 1 1 IN IP4 h\r\n"),
        .init(testDescription: "a type of tomorrow", before: "x=1\r\n", after: "X=2\r\n"),
        .init(testDescription: "no line at all", before: "hello\r\n", after: "\u{20}\r\n"),
        .init(testDescription: "a note that is not UTF-8", raw: Array("i=".utf8) + latin1),
        .init(
            testDescription: "a name that is not UTF-8", head: "v=0\r\no=- 7 7 IN IP4 h\r\nc=IN IP4 198.51.100.7\r\n",
            raw: Array("s=".utf8) + latin1),
        .init(testDescription: "an attribute that is not UTF-8", raw: Array("a=label:".utf8) + latin1),
        .init(testDescription: "a zero byte in an attribute", before: "a=x\u{0}y\r\n"),
        .init(testDescription: "a carriage return in an attribute", after: "a=mid:1\ra=sendonly\r\n"),
        .init(testDescription: "an attribute without a name", before: "a=:x\r\n", after: "a=\r\n"),
        .init(
            testDescription: "a very long attribute",
            before: "a=identity:" + String(repeating: "x", count: 9_000) + "\r\n"),
        .init(testDescription: "many attributes of the session", before: many),
        .init(testDescription: "many attributes of a video line", before: "m=video 6000 RTP/AVP 96\r\n" + many),
        .init(
            testDescription: "many formats of a video line",
            before: "m=video 6000 RTP/AVP" + String(repeating: " 96", count: 300) + "\r\n"),
        .init(testDescription: "a fax line without a format", before: "m=image 0 udptl\r\n"),
        .init(testDescription: "a port that is none", before: "m=video 70000 RTP/AVP 96\r\n"),
        .init(
            testDescription: "an address of a video line that is none",
            before: "m=video 6000 RTP/AVP 96\r\nc=IN ATM x\r\n"),
        .init(
            testDescription: "thirty lines of a conference",
            before: String(repeating: "m=video 6000 RTP/AVP 96\r\na=mid:1\r\n", count: 30)),
    ]

    @Test("the voice line is answered, and other media lines are rejected in place", arguments: lines)
    func voiceLineIsAnsweredAndOtherMediaLinesAreRejectedInPlace(_ lines: ForeignLines) throws {
        var ends = Ends(.init(), .init(protection: .off))
        let offer = try SessionDescription(parsing: lines.bytes)
        let (answer, agreed) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(agreed.media.codec.name == .pcmu && agreed.media.direction == .sendrecv)
        #expect(agreed.media.remote == MediaAddress(host: "198.51.100.7", port: 7000))
        #expect(answer.media.map(\.kind) == offer.media.map(\.kind))
        #expect(answer.media.map { $0.port == 0 } == offer.media.map { $0.kind != "audio" })
        // An answer has a format in each line, and no text of the offer's in its values.
        let text = String(decoding: answer.bytes, as: UTF8.self)
        #expect(answer.media.allSatisfy { !$0.formats.isEmpty } && !text.contains("a=sendonly"))
        #expect(try SessionDescription(parsing: answer.bytes) == answer)
    }

    @Test("an invalid address of the line is not replaced by the session's")
    func invalidAddressOfLineIsNotReplacedBySession() throws {
        var ends = Ends(.init(), .init(protection: .off))
        for address in ["c=IN IP4\r\n", "c=IN IP4 far.example\r\n", "c=IN IP4 224.0.1.75/127\r\n"] {
            let offer = try Ends.description("m=audio 7000 RTP/AVP 0\r\n" + address)
            #expect(throws: NegotiationError.unusableAddress) { try ends.answer(offer) }
        }
    }
}
