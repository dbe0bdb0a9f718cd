import SIPCore
import Testing

@Suite struct MessageParsingTests {
    private static let head = "OPTIONS sip:a@b SIP/2.0\nX: 1\n"

    private static let faulty: [(String, SIPParseError)] = [
        ("", SIPParseError(.empty, at: 0)), ("\n\n", SIPParseError(.empty, at: 0)),
        (head, SIPParseError(.headUnterminated, at: 31)),
        ("OPTIONS sip:a@b SIP/2.0\n\r: 1\n\n", SIPParseError(.lineEnd, at: 25)),
        ("\(head)Content-Length: x\n\n", SIPParseError(.number(maximum: 2_147_483_647), at: 0, in: .contentLength)),
        ("\(head)Content-Length: 1 1\n\n1", SIPParseError(.trailing, at: 1, in: .contentLength)),
        ("\(head)l: 1\nContent-Length: 2\n\n1", SIPParseError(.repeated, at: 0, in: .contentLength)),
        ("\(head)l: 3\n\n12", SIPParseError(.bodyTruncated(announced: 3, present: 2), at: 41)),
        ("OPTIONS  sip:a@b SIP/2.0\n\n", SIPParseError(.startLine, at: 8)),
        ("OPTIONS sip:a@b SIP/3.0\n\n", SIPParseError(.version, at: 16)),
        ("OPTIONS sip:a@b\n\n", SIPParseError(.startLine, at: 15)),
        ("@ sip:a SIP/2.0\n\n", SIPParseError(.startLine, at: 0)),
        ("SIP/2.0 99 x\n\n", SIPParseError(.statusCode, at: 8)),
        ("SIP/2.0 700 x\n\n", SIPParseError(.statusCode, at: 8)),
        ("SIP/2.1 200 x\n\n", SIPParseError(.version, at: 0)), ("SIP/2.0 200x\n\n", SIPParseError(.startLine, at: 11)),
    ]

    @Test(arguments: faulty)
    func faultsAreReported(_ text: String, _ error: SIPParseError) {
        #expect(throws: error) { try parse(lines: text) }
    }

    @Test func loneLineEndsAreFaults() {
        let text = "OPTIONS sip:a@b SIP/2.0\r\nX: 1\nY: 2\r\n\r\n"
        #expect(throws: SIPParseError(.lineEnd, at: 29)) { try parse(Array(text.utf8)) }
    }

    @Test func bodiesFollowContentLength() throws {
        #expect(try parse(lines: Self.head + "l: 2\n\nabcd").body == Array("ab".utf8))
        #expect(try parse(lines: Self.head + "\nabcd").body == Array("abcd".utf8))
        #expect(try parse(lines: "\n\n" + Self.head + "l: 0\n\n").body.isEmpty)
    }

    @Test func foldedLinesAreJoined() throws {
        let message = try parse(lines: Self.head + "Subject: a\n b\n\tc  \nEmpty:\n \n\n")
        #expect(message.headers[.subject]?.split(separator: " ").joined(separator: "_") == "a_b_\tc")
        #expect(message.headers[SIPHeaderName("empty")]?.isEmpty == true)
    }

    @Test func limitsHold() throws {
        let full = Self.head + String(repeating: "X: 1\n", count: SIPLimits.fields - 1)
        #expect(try parse(lines: full + "\n").headers.fields.count == SIPLimits.fields)
        #expect(throws: SIPParseError(.tooManyFields(limit: SIPLimits.fields), at: wire(full).count)) {
            try parse(lines: full + "X: 1\n\n")
        }
        let line = "Y: " + String(repeating: "y", count: SIPLimits.line - 3)
        #expect(try parse(lines: Self.head + line + "\n\n").headers.fields.count == 2)
        #expect(throws: SIPParseError(.tooLong(limit: SIPLimits.line), at: 31 + SIPLimits.line)) {
            try parse(lines: Self.head + line + "y\n\n")
        }
        #expect(throws: SIPParseError(.tooLong(limit: SIPLimits.message), at: SIPLimits.message)) {
            try parse([UInt8](repeating: 65, count: SIPLimits.message + 1))
        }
    }

    @Test func messagesRoundTrip() throws {
        var request = try SIPRequest.sample(.invite)
        request.headers.set(.contentType, MediaType.sdp)
        request.headers[SIPHeaderName("X-Unknown")] = "kept ☎"
        request.body = Array("v=0\r\n".utf8)
        #expect(try parse(request.bytes) == .request(request))
        request.headers[.contentLength] = "999"
        #expect(request.byteCount == request.bytes.count, "Content-Length comes from the body")
        var response = request.response(.ringing, tag: "b2")
        response.headers.append(.server, "test")
        #expect(try parse(response.bytes) == .response(response))
        #expect(try parse(lines: "SIP/2.0 200\n\n") == .response(SIPResponse(.ok, phrase: "")))
    }

    @Test func responsesCopyRequiredHeaders() throws {
        var request = try SIPRequest.sample(.invite)
        request.headers.append(.recordRoute, "<sip:p;lr>")
        request.headers.append(.timestamp, "54")
        let ok = request.response(.ok, tag: "b2")
        #expect(ok.phrase == "OK")
        #expect(try ok.headers.to.tag == "b2")
        #expect(ok.headers[.recordRoute] == "<sip:p;lr>")
        #expect(!ok.headers.contains(.timestamp))
        #expect(request.response(.trying).headers[.timestamp] == "54")
        request.headers[.to] = ok.headers[.to]
        #expect(try request.response(.ok, tag: "other").headers.to.tag == "b2")
    }

    @Test(
        "data without a leading token is no message and needs no parser",
        arguments: [
            ("INVITE", true), ("\r\n\r\nSIP/2.0", true), ("z", true), ("", false), ("\r\n\r\n", false),
            (" INVITE", false),
            ("@", false), ("[", false), ("`", true), ("!interesting-Method0123456789_*+`.%indeed'~", true), ("0", true),
            ("{", false), ("\u{0}\u{1}", false), ("é", false),
        ])
    func dataWithoutLeadingTokenIsNoMessageAndNeedsNoParser(_ text: String, _ mayBegin: Bool) {
        #expect(SIPMessage.mayBegin(Array(text.utf8)) == mayBegin)
    }
}
