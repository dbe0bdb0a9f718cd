import Base
import SIPCore
import Testing

/// The situations of RFC 5118 §4, one for each section, in the project's own messages.
@Suite struct IPv6Tests {
    private static func message(
        _ uri: String = "sip:[2001:db8::10]", via: String = "[2001:db8::9:1];received=[2001:db8::9:255]",
        extra: String = "", body: String = ""
    ) -> String {
        """
        REGISTER \(uri) SIP/2.0
        Via: SIP/2.0/UDP \(via);branch=z9hG4bKas3
        Max-Forwards: 70
        From: <sip:user@example.com>;tag=81x2
        To: <sip:user@example.com>
        Call-ID: SSG9559905523997077@hlau_4100
        CSeq: 1 REGISTER
        Contact: "Caller" <sip:caller@[2001:db8::1]>
        \(extra)Content-Length: \(body.utf8.count + body.utf8.count { $0 == 10 })

        \(body)
        """
    }

    private func request(_ text: String) throws -> SIPRequest {
        let request = try SIPCoreTests.request(lines: text)
        try SIPMessage.request(request).validate()
        return request
    }

    @Test("§4.1: a reference in brackets is valid")
    func valid() throws {
        let request = try request(Self.message())
        #expect(request.uri.sip?.host == "2001:db8::10")
        #expect(try request.headers.topVia.host == "2001:db8::9:1")
        #expect(try request.headers.contacts[0].uri.sip?.host == "2001:db8::1")
    }

    @Test("§4.2: a reference without brackets is invalid and answered 400")
    func invalid() throws {
        let bytes = wire(Self.message("sip:2001:db8::10"))
        #expect(throws: SIPParseError(.number(maximum: 65_535), at: 18)) { try parse(bytes) }
        let error = SIPParseError(.number(maximum: 65_535), at: 18)
        #expect(SIPResponse(refusing: bytes.span, because: error, tag: "t")?.status == .badRequest)
    }

    @Test(
        "§4.3 and §4.4: a port follows the bracket",
        arguments: [
            ("sip:[2001:db8::10:5070]", "2001:db8::10:5070", nil), ("sip:[2001:db8::10]:5070", "2001:db8::10", 5_070),
        ] as [(String, String, UInt16?)])
    func ports(_ uri: String, _ host: String, _ port: UInt16?) throws {
        let sip = try request(Self.message(uri)).uri.sip
        #expect(sip?.host == host)
        #expect(sip?.port == port)
        #expect(sip?.text == uri)
    }

    @Test("§4.5: a Via's received may have brackets", arguments: ["[2001:db8::9:255]", "2001:db8::9:255"])
    func received(_ written: String) throws {
        let via = try request(Self.message(via: "[2001:db8::9:1];received=\(written)")).headers.topVia
        #expect(via.received == "2001:db8::9:255")
        #expect(via.text.contains(";received=\(written)"))
    }

    @Test("§4.6 and §4.8: a body may have addresses of both kinds")
    func bodies() throws {
        let body =
            "v=0\no=a 1 1 IN IP6 2001:db8::20\nc=IN IP4 192.0.2.1\nm=audio 6000 RTP/AVP 0\nc=IN IP6 2001:db8::20\n"
        let request = try request(Self.message(extra: "Content-Type: application/sdp\n", body: body))
        #expect(try request.body(of: .sdp) == wire(body))
    }

    @Test("§4.7: a route may have addresses of both kinds")
    func mixed() throws {
        let extra =
            "Via: SIP/2.0/UDP 192.0.2.1:5061;branch=z9hG4bKb\nRoute: <sip:[2001:db8::5]:5062;lr>, <sip:192.0.2.7;lr>\n"
        let headers = try request(Self.message(extra: extra)).headers
        #expect(try headers.vias.map(\.host) == ["2001:db8::9:1", "192.0.2.1"])
        #expect(try headers.routes.map { $0.uri.sip?.host } == ["2001:db8::5", "192.0.2.7"])
        #expect(try headers.routes[0].text == "<sip:[2001:db8::5]:5062;lr>")
    }

    @Test("§4.9: an IPv4-mapped address is valid")
    func mapped() throws {
        let request = try request(Self.message("sip:[::ffff:192.0.2.10]:5070"))
        #expect(request.uri.sip?.host == "::ffff:192.0.2.10")
        #expect(request.uri.text == "sip:[::ffff:192.0.2.10]:5070")
    }

    @Test(
        "an impossible address is rejected",
        arguments: [
            "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7", "1::2::3", "2001:db8:::10", "12345::", "::1.2.3", "::1.2.3.256",
            "1:2:3:4:5:6:7::8:9",
            "1.2.3.4::", ":1", "1:", ":::", "::1.2.3.4:5",
        ])
    func impossibleAddressIsRejected(_ text: String) {
        #expect(throws: SIPParseError.self) { try URI("sip:[\(text)]") }
    }

    @Test(
        "a possible address is accepted",
        arguments: [
            "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4", "::ffff:1.2.3.4", "1::8", "fe80::1:2",
        ])
    func possibleAddressIsAccepted(_ text: String) throws { #expect(try URI("sip:[\(text)]").sip?.host == text) }

    @Test("§4.10: three colons of the old grammar are kept for the lookup")
    func oldGrammar() throws {
        let request = try request(Self.message("sip:user@[2001:db8:::192.0.2.1]"))
        #expect(request.uri.text == "sip:user@[2001:db8:::192.0.2.1]")
    }

    @Test(arguments: ["[]", "[1]", "[2001:db8::1", "2001:db8::1]", "[2001:db8::g]", "[[::1]]", "[::1%25eth0]"])
    func invalidReferencesAreRejected(_ host: String) {
        #expect(throws: SIPParseError.self) { try URI("sip:a@\(host)") }
    }
}
