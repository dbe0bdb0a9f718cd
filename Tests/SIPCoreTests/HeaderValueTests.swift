import SIPCore
import Testing

@Suite struct HeaderValueTests {
    @Test(
        arguments: [
            ("<sip:a@b>", nil, "sip:a@b", nil), ("sip:a@b;tag=x", nil, "sip:a@b", "x"),
            ("Alice <sip:a@b>;tag=x", "Alice", "sip:a@b", "x"),
            ("A. Bell<sip:a@b;tag=u>", "A. Bell", "sip:a@b;tag=u", nil),
            (#""A \"quoted\" \\ name" <sip:a@b> ; TAG = x"#, #"A "quoted" \ name"#, "sip:a@b", "x"),
            (#""comma, <angle>" <sip:a,b@c>"#, "comma, <angle>", "sip:a,b@c", nil),
            ("Jürgen <sip:a@b>", "Jürgen", "sip:a@b", nil), (#""" <tel:+1>"#, "", "tel:+1", nil),
            (#"<sip:a@b>;+sip.instance="<urn:uuid:1>""#, nil, "sip:a@b", nil),
        ] as [(String, String?, String, String?)])
    func nameAddressesAreRead(_ written: String, _ name: String?, _ uri: String, _ tag: String?) throws {
        let address = try NameAddress(written)
        #expect(address.displayName == name)
        #expect(address.uri.text == uri)
        #expect(address.tag == tag)
        #expect(try NameAddress(address.text) == address)
    }

    @Test(arguments: [
        ("", SIPParseError.Kind.scheme, 0), (#""open <sip:a@b>"#, .quotedString, 0),
        (#""a" sip:b@c"#, .expected("<"), 4),
        ("<sip:a@b", .expected(">"), 8), ("<sip:a@b>;", .token, 10), ("<sip:a@b>;x=", .token, 12),
        ("sip:a@b?x=y", .headersInURI, 11), ("<sip:a@b> x", .trailing, 10), (#"<sip:a@b>;x="y\"#, .quotedString, 12),
    ])
    func invalidAddressesAreRejected(_ written: String, _ kind: SIPParseError.Kind, _ offset: Int) {
        #expect(throws: SIPParseError(kind, at: offset)) { try NameAddress(written) }
    }

    @Test func viasAreRead() throws {
        let via = try Via("SIP / 2.0 / udp  host.example.com : 5061 ;branch=z9hG4bK1;rport;received=2001:db8::1")
        #expect(via.transport == "UDP")
        #expect(via.port == 5061)
        #expect(via.branch == "z9hG4bK1")
        #expect(via.wantsRport)
        #expect(via.rport == nil)
        #expect(via.received == "2001:db8::1")
        #expect(try Via(via.text) == via)
        #expect(try Via("SIP/2.0/TLS [2001:db8::1]:5061;rport=99").rport == 99)
        #expect(throws: SIPParseError(.version, at: 0)) { try Via("SIP/7.0/UDP a") }
        #expect(throws: SIPParseError(.host, at: 12)) { try Via("SIP/2.0/UDP ;branch=1") }
    }

    @Test func sequenceNumbersAreRead() throws {
        #expect(try CSeq("2147483647 INVITE") == CSeq(2_147_483_647, .invite))
        #expect(throws: SIPParseError(.number(maximum: 2_147_483_647), at: 0)) { try CSeq("2147483648 INVITE") }
        #expect(throws: SIPParseError(.token, at: 1)) { try CSeq("1") }
        #expect(throws: SIPParseError(.token, at: 1)) { try CSeq("1INVITE") }
    }

    @Test func smallValuesAreRead() throws {
        #expect(try SIPNumber("99999999999999999999").value == .max)
        #expect(throws: SIPParseError(.number(maximum: 4_294_967_295), at: 0)) { try SIPNumber("-1") }
        #expect(try MediaType("Application / SDP;charset=utf-8").name == "application/sdp")
        let reason = try Reason(#"SIP ;cause=200 ;text="Call completed elsewhere""#)
        #expect(reason.cause == 200)
        #expect(reason.parameters["text"] == "Call completed elsewhere")
        #expect(Reason(cause: 486, text: "Busy").text == #"SIP;cause=486;text="Busy""#)
    }

    @Test(
        arguments: [
            ("<http://a/b,c;d>;info=e", "http://a/b,c;d", ["info": "e"]), ("Bellcore-dr2", "Bellcore-dr2", [:]),
            ("Ring Answer ;x", "Ring Answer", ["x": ""]), ("info=alert;delay=0", "", ["info": "alert", "delay": "0"]),
            (";answer-after=0", "", ["answer-after": "0"]), ("http://a/?b=c", "http://a/?b=c", [:]),
        ] as [(String, String, [String: String])])
    func looseValuesAreRead(_ written: String, _ word: String, _ parameters: [String: String]) throws {
        let value = try LooseValue(written)
        #expect(value.word == word)
        #expect(value.parameters.all.count == parameters.count)
        for (name, text) in parameters { #expect(value.parameters[name] == text) }
        #expect(try LooseValue(value.text).parameters == value.parameters)
        #expect(try LooseValue(value.text).word == word)
    }

    @Test(arguments: ["", "<a", "a<b>", "<a> b", ";", "x=", ";a=", "a;b c"])
    func invalidLooseValuesAreRejected(_ written: String) {
        #expect(throws: SIPParseError.self) { try LooseValue(written) }
    }

    @Test func challengesInOneLineAreSeparated() throws {
        var headers = SIPHeaders()
        headers.append(.wwwAuthenticate, #"Digest realm="a, b", nonce="1", Basic realm="c",Negotiate, Digest nonce=2"#)
        let challenges = try headers.list(.wwwAuthenticate, of: Authentication.self)
        #expect(challenges.map(\.scheme) == ["Digest", "Basic", "Negotiate", "Digest"])
        #expect(challenges[0].parameters["realm"] == "a, b")
        #expect(challenges[3].parameters["nonce"] == "2")
    }
}
