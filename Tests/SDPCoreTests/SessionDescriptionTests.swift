import Base
import SDPCore
import Testing

struct BrokenDescription: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let expected: SDPParseError
}

@Suite("Session descriptions")
struct SessionDescriptionTests {
    static let head = "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\n"

    @Test("a full description is read, and its supported part is written back unchanged")
    func fullDescriptionIsRead() throws {
        let text =
            Self.head + "i=note\r\nc=IN IP4 192.0.2.1\r\nb=AS:64\r\nt=0 0\r\na=sendonly\r\n"
            + "m=audio 4000/2 RTP/SAVP 96 0\r\nc=IN IP6 2001:db8::1\r\na=rtpmap:96 opus/48000/2\r\na=rtcp-mux\r\n"
            + "m=video 0 RTP/AVP 31\r\n"
        let description = try SessionDescription(parsing: Array(text.utf8))
        #expect(description.host == "192.0.2.1")
        #expect(description.attributes == [.init("sendonly")])
        #expect(description.media.map(\.port) == [4000, 0])
        #expect(description.media[0].host == "2001:db8::1")
        #expect(description.media[0].formats == ["96", "0"])
        #expect(description.media[0].values(of: "rtpmap") == ["96 opus/48000/2"])
        #expect(description.media[0].hasFlag("rtcp-mux"))
        #expect(try SessionDescription(parsing: description.bytes) == description)
    }

    @Test("lines that end with LF alone are read")
    func linesThatEndWithLFAloneAreRead() throws {
        let text = Self.head.replacing("\r\n", with: "\n")
        #expect(try SessionDescription(parsing: Array(text.utf8)).origin.sessionID == "1")
    }

    static let broken: [BrokenDescription] = [
        .init(testDescription: "nothing", text: "", expected: .init(line: 1, .empty)),
        .init(testDescription: "no version", text: "o=- 1 1 IN IP4 h\r\n", expected: .init(line: 1, .missingVersion)),
        .init(testDescription: "another version", text: "v=1\r\n", expected: .init(line: 1, .unsupportedVersion)),
        .init(testDescription: "nothing to say", text: "v=0\r\nrubbish\r\n", expected: .init(line: 2, .empty)),
        .init(testDescription: "no text", text: "hello\r\n", expected: .init(line: 1, .missingVersion)),
        .init(
            testDescription: "a media line without a transport", text: head + "m=audio 7000\r\n",
            expected: .init(line: 4, .malformedMedia)),
        .init(
            testDescription: "many media lines", text: head + String(repeating: "m=audio 1 RTP/AVP 0\r\n", count: 65),
            expected: .init(line: 68, .tooManyMediaLines)),
        .init(
            testDescription: "many lines", text: head + String(repeating: "b=AS:1\r\n", count: 4_100),
            expected: .init(line: 4_097, .tooManyLines)),
        .init(
            testDescription: "many bytes", text: head + String(repeating: "b=AS:1\r\n", count: 8_200),
            expected: .init(line: 1, .tooManyBytes)),
    ]

    @Test("errors have their line", arguments: broken)
    func errorsHaveTheirLine(_ broken: BrokenDescription) {
        #expect(throws: broken.expected) { try SessionDescription(parsing: Array(broken.text.utf8)) }
    }

    @Test("any damage gives a description or an error, and a read description round-trips")
    func anyDamageGivesDescriptionOrError() throws {
        var generator = SeededGenerator(seed: 8866)
        let whole = Array(
            (Self.head + "c=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/SAVP 96 97\r\na=rtpmap:96 opus/48000/2\r\n"
                + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n").utf8)
        var read = 0
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: place)
                }
            }
            guard let description = try? SessionDescription(parsing: bytes) else { continue }
            read += 1
            #expect(try SessionDescription(parsing: description.bytes).media == description.media)
        }
        #expect(read > 1_000)
    }
}
