import Base
import Glibc
import LineCore
import SIPCore
import Testing

@Suite("Traces")
struct TraceTests {
    private static let flow = Flow(.udp, local: .init("192.0.2.1", 5_060), remote: .init("203.0.113.9", 5_060))

    /// The line's trace of bytes that it received.
    private func trace(_ text: String) throws -> SignalTrace {
        try trace(Array(text.utf8))
    }

    private func trace(_ bytes: [UInt8], showsDigits: Bool = false) throws -> SignalTrace {
        var seed: UInt64 = 0
        var configuration = Calls.direct("alice")
        configuration.tracesDigits = showsDigits
        var line = LineMachine(
            configuration: configuration,
            makeGenerator: {
                seed += 1
                return SeededGenerator(seed: seed)
            }, hashes: TestServer.hashes)
        let outputs = line.handle(.received(bytes, Self.flow), at: .zero)
        return try #require(outputs.lazy.compactMap { if case .trace(let trace) = $0 { trace } else { nil } }.first)
    }

    private func masked(_ text: String) throws -> String { String(decoding: try trace(text).masked, as: UTF8.self) }

    @Test(
        "only secrets are masked",
        arguments: [
            (
                "Authorization: Digest username=\"al\", realm=\"r\", nonce=\"n1\", uri=\"sip:x\", response=\"abc\", qop=auth",
                "Authorization: Digest username=\"al\", realm=\"r\", nonce=****, uri=\"sip:x\", response=*****, qop=auth"
            ),
            ("proxy-authorization :DIGEST response=abc,nc=01", "proxy-authorization :DIGEST response=***,nc=01"),
            ("Authorization: Digest response=\"a\\\"b\", nc=1", "Authorization: Digest response=******, nc=1"),
            ("Authorization: Digest\r\n response=abc", "Authorization: Digest\r\n response=***"),
            (
                "Authorization: Digest response=\r\n\tabc\r\nTo: <sip:a@b>",
                "Authorization: Digest response=\r\n****\r\nTo: <sip:a@b>"
            ),
            ("Authorization: Basic YWxhZGRpbg==", "Authorization: Basic*************"),
            ("Authorization: Digest sesame", "Authorization: Digest ******"),
            ("Authorization: Digest response=\"abc", "Authorization: Digest response=****"),
            (
                "Authentication-Info: qop=auth, rspauth=\"ab\", nextnonce=x",
                "Authentication-Info: qop=auth, rspauth=****, nextnonce=*"
            ),
            ("WWW-Authenticate: Digest realm=\"r\", nonce=\"n\"", "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\""),
            (
                "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAEC|2^20|1:32;inline:BBB",
                "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:xxxx|2^20|1:32;inline:xxx"
            ),
            ("a=ice-pwd:secret\r\na=ice-ufrag:frag", "a=ice-pwd:******\r\na=ice-ufrag:frag"),
            ("k=clear:sesame\r\nm=audio", "k=************\r\nm=audio"),
            ("From: <sip:alice:sesame@x:5060>;tag=1", "From: <sip:alice:******@x:5060>;tag=1"),
            ("Contact: SIPS:a:b@c, <sip:d@e:5061>", "Contact: SIPS:a:*@c, <sip:d@e:5061>"),
            ("Alert-Info: <https://u:pw@host:80/a@b:c>", "Alert-Info: <https://u:**@host:80/a@b:c>"),
            ("o=alice 1 1 IN IP4 192.0.2.1\r\na=note:a@b", "o=alice 1 1 IN IP4 192.0.2.1\r\na=note:a@b"),
        ])
    func onlySecretsAreMasked(_ written: String, _ shown: String) throws {
        #expect(try masked(written) == shown)
        // In any place: in a header, in a body, in a message inside a message.
        let around = ("NOTIFY sip:a@b SIP/2.0\r\nCall-ID: x\r\n", "\r\n\r\nbody\r\n")
        #expect(try masked(around.0 + written + around.1) == around.0 + shown + around.1)
    }

    @Test(
        "digits of a call are masked unless requested",
        arguments: [
            ("Content-Type: application/dtmf-relay\r\n\r\nSignal=7\r\nDuration=160\r\n", 7),
            ("Content-Type: application/dtmf-relay\r\n\r\nSignal= 7\r\nDuration=160\r\n", 7),
            ("c : Application/DTMF\r\nContent-Length: 1\r\n\r\n7", 7),
            ("Content-Type:\r\n application/dtmf\r\n\r\n7", 7), ("Content-Type: application/dtmf\n\n7\n", 7),
            // Inside a longer body, without a content type.
            (
                "Content-Type: multipart/mixed;boundary=b\r\n\r\n--b\r\nContent-Type: application/dtmf\r\n\r\n7\r\n--b--",
                7
            ),
            ("Content-Type: text/plain\r\n\r\nsignal=7", 7),
        ])
    func digitsOfCallAreMaskedUnlessRequested(_ rest: String, _ digit: Int) throws {
        let text = "INFO sip:a@b SIP/2.0\r\nCSeq: 8 INFO\r\n" + rest
        let hidden = try masked(text)
        #expect(!hidden.contains("\(digit)"), "\(hidden)")
        #expect(hidden.hasPrefix("INFO sip:a@b SIP/2.0\r\nCSeq: 8 INFO\r\nC") || hidden.contains("\r\nc"))
        #expect(hidden.utf8.count == text.utf8.count)
        #expect(try trace(Array(text.utf8), showsDigits: true).masked == Array(text.utf8))
    }

    @Test("text that only looks like digits is shown")
    func textThatOnlyLooksLikeDigitsIsShown() throws {
        for text in [
            "INFO sip:a@b SIP/2.0\r\nContent-Type: application/sdp\r\n\r\nv=0\r\nc=IN IP4 192.0.2.1\r\ns=signal\r\n",
            "SIP/2.0 200 OK\r\nAccept: application/dtmf-relay\r\n\r\n", "Content-Type: application/dtmf\r\nTo: x\r\n",
        ] { #expect(try masked(text) == text) }
    }

    @Test("no secret of a registration or call appears in a trace")
    func noSecretOfRegistrationOrCallAppearsInTrace() throws {
        var world = World.registered { $0.accepts = .anyone }
        world.command(0, .dial(CallID(.phone, 1), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        let texts = world.traces.map { String(decoding: $0.masked, as: UTF8.self) }
        #expect(texts.count > 8)
        for text in texts {
            for line in text.split(whereSeparator: \.isNewline) {
                if let key = line.firstRange(of: "inline:") {
                    #expect(line[key.upperBound...].allSatisfy { "x|".contains($0) })
                }
                if let answer = line.firstRange(of: "response=") {
                    #expect(line[answer.upperBound...].hasPrefix("***"))
                }
            }
        }
        #expect(texts.contains { $0.contains("inline:xxx") } && texts.contains { $0.contains("response=***") })
        #expect(!texts.contains { $0.contains("sesame") })
    }

    @Test("every byte but secrets stays, for any bytes", arguments: 0..<6)
    func everyByteButSecretsStaysForAnyBytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "\r\n", "\n", "\r", " ", "\t", ":", "@", "\"", "\\", ",", "=", "<", "sip:", "Authorization: Digest ",
            "inline:",
            "a=crypto:", "a=ice-pwd:", "//", "x", "Signal=", "Content-Type: application/dtmf",
        ]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            let (bytes, masked) = (Array(("A" + text).utf8), try trace("A" + text).masked)
            #expect(bytes.count == masked.count)
            #expect(
                zip(bytes, masked).allSatisfy { $0 == $1 || [0x2A, 0x78].contains($1) && $0 != 0x0D && $0 != 0x0A })
        }
    }

    @Test(
        "the longest message is masked in linear time, whatever it contains",
        arguments: [
            "@", "\r", "\n", ":", " ", "inline:", "sip:a:", "\"", "=,", "//", "\r\n ", "a=crypto:", "signal=", "c:",
        ])
    func longestMessageIsMaskedInLinearTimeWhateverItContains(piece: String) throws {
        // A message of line breaks only is a keep-alive and is not traced.
        for head in ["x", "Authorization: Digest ", "a=crypto:"] {
            let short = try work(masking: head + String(repeating: piece, count: 8_125 / piece.utf8.count))
            let long = try work(masking: head + String(repeating: piece, count: 65_000 / piece.utf8.count))
            #expect(long < 24 * short, "8 times the length took \(long / short) times the work: a square is 64")
        }
    }

    /// Processor time of this thread in seconds, the least of five runs. Beside other tests, real time is useless.
    private func work(masking text: String) throws -> Double {
        let trace = try trace(text)
        var least = Double.infinity
        for _ in 0..<5 {
            let start = processorTime
            let masked = trace.masked
            least = min(least, processorTime - start)
            #expect(masked.count == text.utf8.count)
        }
        return least
    }

    private var processorTime: Double {
        var time = timespec()
        precondition(unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("bytes that are no message are traced as such")
    func bytesThatAreNoMessageAreTracedAsSuch() throws {
        let trace = try trace("hello\u{1B}")
        #expect(trace.masked == Array("hello\u{1B}".utf8))
        #expect(!"\(trace)".contains("104"))
    }
}
