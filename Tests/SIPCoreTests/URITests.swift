import SIPCore
import Testing

@Suite struct URITests {
    @Test(arguments: [
        "sip:example.com", "sips:alice@example.com", "sip:alice:secret@example.com:5070;transport=tcp",
        "sip:[2001:db8::9:1]", "sip:bob@[2001:db8::9:1]:5062;lr", "sip:+15551234@192.0.2.4;user=phone",
        "sip:%61lice@example.com;method=REGISTER?to=alice%40example.com", "tel:+1-201-555-0123",
        "tel:7042;phone-context=example.com", "urn:service:sos", "http://example.com/a?b", "sip:host_1",
        "sip:1;2/3?4@example.com;x",
    ])
    func textRoundTrips(_ text: String) throws { #expect(try URI(text).text == text) }

    @Test func partsAreFound() throws {
        let uri = try #require(try URI("SIP:J%2Esmith:pw@[2001:db8::1]:5062;Transport=TCP;lr?a=b").sip)
        #expect(uri.scheme == .sip)
        #expect(uri.user == "J.smith")
        #expect(uri.host == "2001:db8::1")
        #expect(uri.port == 5062)
        #expect(uri.transport == "tcp")
        #expect(uri.isLooseRouter)
        #expect(uri.headers == "a=b")
    }

    @Test(arguments: [
        ("", SIPParseError.Kind.scheme, 0), ("alice", .scheme, 0), ("1sip:a", .scheme, 0), (":a", .scheme, 0),
        ("sip:", .host, 4), ("sip:@a", .userinfo, 4), ("sip:a b@c", .expected("@"), 5), ("sip:a@", .host, 6),
        ("sip:a%4@b", .escape, 5), ("sip:a:65536", .number(maximum: 65_535), 6),
        ("sip:a:", .number(maximum: 65_535), 6), ("sip:a;", .uriParameter, 6), ("sip:a;b=", .uriParameter, 8),
        ("sip:[::1", .expected("]"), 8), ("sip:[12]", .host, 5), ("sip:a<", .trailing, 5), ("sip:a?", .uriParameter, 6),
        ("tel:", .userinfo, 4), ("tel:12x", .trailing, 6), ("x:", .scheme, 2), ("x:a b", .trailing, 3),
    ])
    func faultsAreReported(_ text: String, _ kind: SIPParseError.Kind, _ offset: Int) {
        #expect(throws: SIPParseError(kind, at: offset)) { try URI(text) }
    }

    @Test func numbersOfAnyLengthDoNotOverflow() {
        #expect(throws: SIPParseError(.number(maximum: 65_535), at: 6)) {
            try URI("sip:a:" + String(repeating: "9", count: 400))
        }
    }

    @Test(arguments: [
        ("sip:%61lice@atlanta.com;transport=TCP", "sip:alice@AtLanTa.CoM;Transport=tcp"),
        ("sip:carol@chicago.com", "sip:carol@chicago.com;newparam=5"),
        ("sip:a@b;x=1;lr", "sip:a@b;lr;x=1"),
        ("tel:+1-201-555", "tel:+1201555"),
    ])
    func equivalentURIsMatch(_ left: String, _ right: String) throws {
        #expect(try URI(left).isEquivalent(to: URI(right)))
        #expect(try URI(right).isEquivalent(to: URI(left)))
    }

    @Test(arguments: [
        ("SIP:ALICE@AtLanTa.CoM", "sip:alice@AtLanTa.CoM"), ("sip:bob@biloxi.com", "sip:bob@biloxi.com:5060"),
        ("sip:bob@biloxi.com", "sip:bob@biloxi.com;transport=udp"), ("sip:a@b;x=1", "sip:a@b;x=2"),
        ("sip:a@b", "sips:a@b"), ("sip:a@b", "tel:1"), ("tel:1", "tel:1;ext=2"),
    ])
    func differentURIsDiffer(_ left: String, _ right: String) throws {
        #expect(try !URI(left).isEquivalent(to: URI(right)))
        #expect(try !URI(right).isEquivalent(to: URI(left)))
    }

    @Test func usersAreEscaped() throws {
        let uri = URI.sip(SIPURI(user: "*21#a b:c@d", host: "::1", port: 5060))
        #expect(uri.text == "sip:*21%23a%20b%3Ac%40d@[::1]:5060")
        #expect(try URI(uri.text).sip?.user == "*21#a b:c@d")
    }
}
