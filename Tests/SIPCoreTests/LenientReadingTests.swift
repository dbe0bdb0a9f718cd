import SIPCore
import Testing

/// Real devices' values that the phone does not need, or can use unchanged.
@Suite struct LenientReadingTests {
    /// A request with every routing header, and with others.
    private static func lines(
        _ more: String, method: String = "INVITE", from: String = "<sip:bob@example.com>;tag=b1"
    ) -> String {
        """
        \(method) sip:alice@192.0.2.1 SIP/2.0
        Via: SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKx
        From: \(from)
        To: <sip:alice@192.0.2.1>
        Call-ID: c
        CSeq: 1 \(method)
        \(more)

        """.replacing("\n\n", with: "\n") + "\n"
    }

    private static func headers(_ more: String) throws -> SIPHeaders { try parse(lines: lines(more)).headers }

    @Test(arguments: ["INVITE", "ACK", "CANCEL", "BYE", "INFO", "OPTIONS", "NOTIFY", "MESSAGE", "PRACK", "UPDATE"])
    func requestWithoutMaxForwardsOrTagIsValid(method: String) throws {
        try parse(lines: Self.lines("X: 1", method: method)).validate()
        try parse(lines: Self.lines("X: 1", method: method, from: "<sip:bob@example.com>")).validate()
    }

    @Test(arguments: [
        "Max-Forwards: many", "Max-Forwards: -1", "Max-Forwards: 256", "Max-Forwards: 70\nMax-Forwards: 69",
        "Contact: <sip:1@10.0.0.9:5060:5060>", "Contact: nobody", "Contact: *", "Contact:", "Expires: soon",
        "Expires: Thu, 01 Dec 2030 16:00:00 GMT", "Route: nowhere", "Record-Route: nowhere", "Content-Type: /",
        "Content-Type: a/b\nContent-Type: a/b", "P-Asserted-Identity: \"A <sip:x@y>", "Allow: ,,", "Date: today",
        "no field", ": no name", "Bad name: 1", "Session-Expires: abc", "Accept: @", "Supported: ;",
    ])
    func oddValueOfUnneededHeaderIsTolerated(line: String) throws {
        let message = try parse(lines: Self.lines(line))
        try message.validate()
        #expect(message.headers[.cSeq] == "1 INVITE")
    }

    @Test(arguments: [
        ("Via", "SIP/2.0/UDP"), ("From", "nobody"), ("To", "nobody"), ("Call-ID", ""), ("CSeq", "x INVITE"),
        ("CSeq", "1 BYE"), ("Call-ID", "a b"), ("CSeq", "1 INVITE x"),
    ])
    func routingHeadersAreReadStrictly(name: String, value: String) throws {
        let odd = Self.lines("X: 1").split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(name + ":") ? "\(name): \(value)" : String($0) }.joined(separator: "\n")
        #expect(throws: SIPParseError.self) { try parse(lines: odd).validate() }
    }

    @Test(
        arguments: [
            ("<sip:9901#1@10.0.0.9>", "9901#1", "sip:9901#1@10.0.0.9"),
            ("<sip:9901%231@10.0.0.9>", "9901#1", "sip:9901%231@10.0.0.9"),
            ("<sip:Front Door@10.0.0.9:5061>", "Front Door", "sip:Front%20Door@10.0.0.9:5061"),
            ("<sip:door^1{2}@10.0.0.9>", "door^1{2}", "sip:door^1{2}@10.0.0.9"),
            ("<sip:Jürgen@10.0.0.9>", "Jürgen", "sip:J%C3%BCrgen@10.0.0.9"),
            ("<sip:100%@10.0.0.9>", "100%", "sip:100%25@10.0.0.9"),
            ("<sip:a<b\"@10.0.0.9>", "a<b\"", "sip:a%3Cb%22@10.0.0.9"),
            ("<sip:@10.0.0.9>", nil, "sip:10.0.0.9"), ("<sip:a@10.0.0.9;;lr;>", "a", "sip:a@10.0.0.9;lr"),
            ("<sip:10.0.0.9;lr;a=b c>", nil, "sip:10.0.0.9;lr;a=b%20c"),
            ("<sip:a@10.0.0.9;x=y=z,w;hash=#1>", "a", "sip:a@10.0.0.9;x=y=z,w;hash=#1"),
        ] as [(String, String?, String)])
    func addressIsTakenUnchanged(written: String, user: String?, text: String) throws {
        let contact = try #require(try Self.headers("Contact: \(written)").contacts.first)
        #expect(contact.uri.sip?.user == user)
        #expect(contact.uri.text == text)
        // It can be the request URI of the next request.
        let bye = "BYE \(text) SIP/2.0\nX: 1\n\n"
        guard case .request(let request) = try parse(lines: bye) else { throw Unexpected() }
        #expect(request.uri.text == text)
    }

    @Test(arguments: [
        "<sip:1@10.0.0.9:5060:5060>", "<sip:1@fe80::1:5060>", "<sip:1@[fe80::1%25eth0]:5060>", "<sip:1@>",
        "<sip:1@a b>", "<tel:+49 30 12>", "<foo:a b>", "<sip:a@b:99999>",
    ])
    func faultyAddressIsShownAndReturnedButNotUsed(written: String) throws {
        let from = try Self.headers("Contact: \(written);expires=7, <sip:good@10.0.0.9>").contacts
        #expect(from.count == 2 && from[0].uri.sip == nil && from[0].expires == 7)
        #expect(!from[0].uri.text.contains(" "))
        #expect(try Self.headers("Contact: \(written), <sip:good@10.0.0.9>").target?.text == "sip:good@10.0.0.9")
        try parse(lines: Self.lines("X: 1", from: "\(written);tag=1")).validate()
    }

    @Test(
        arguments: [
            ("nobody, <sip:b@c>", ["sip:b@c"]),
            (
                "<sip:a@b>;expires=390,: <sip:c@d;transport=ws>;expires=30",
                ["sip:a@b", "sip:c@d;transport=ws"]
            ),
            ("<sip:1@10.0.0.9>;+sip.instance=<urn:uuid:1,2>;expires=60, <sip:b@c>", ["sip:1@10.0.0.9", "sip:b@c"]),
            ("\"open <sip:a@b>, <sip:c@d>\nContact: <sip:e@f>", ["sip:a@b", "sip:c@d", "sip:e@f"]),
            (",,<sip:a@b>,", ["sip:a@b"]),
            ("*, <sip:a@b>", ["sip:a@b"]), ("<sip:a@b> junk, <sip:c@d>;;;q=1;=2", ["sip:a@b", "sip:c@d"]),
            ("<sip:a@b\nContact: <sip:c@d>", ["sip:c@d"]),
        ] as [(String, [String])])
    func listIsReadElementByElement(value: String, uris: [String]) throws {
        #expect(try Self.headers("Contact: \(value)").contacts.map(\.uri.text) == uris)
    }

    @Test func unreadableListReportsReason() throws {
        let headers = try Self.headers("Contact: nobody, @\nAllow: INVITE,,ACK , ;BYE")
        #expect(throws: SIPParseError(.scheme, at: 0, in: .contact)) { try headers.contacts }
        #expect(try headers.tokens(.allow) == ["INVITE", "ACK"])
    }

    @Test(
        arguments: [
            ("<sip:a@b>;x=<y>;tag=1", "1", nil), ("<sip:a@b>;;tag=1;", "1", nil),
            ("<sip:a@b>;tag=1 junk;x=\"", "1", nil),
            ("\"A\" sip:a@b;tag=1", "1", "A"), ("Door #1 (yard) <sip:a@b>;tag=1", "1", "Door #1 (yard)"),
            ("<sip:a@b>;tag=1;x=\"a;tag=2\"", "1", nil), ("<sip:a@b>;tag=<2>", nil, nil),
        ] as [(String, String?, String?)])
    func tagIsFoundBesideUnreadableParameters(from: String, tag: String?, name: String?) throws {
        let message = try parse(lines: Self.lines("X: 1", from: from))
        try message.validate()
        #expect(try message.headers.from.tag == tag)
        #expect(try message.headers.from.displayName == name)
        #expect(try message.headers.from.uri.text == "sip:a@b")
    }

    @Test func routeIsTakenWholeOrNotAtAll() throws {
        #expect(
            try Self.headers("Record-Route: <sip:a;lr;x=y z>, <sip:b;lr>").recordRoutes.map(\.uri.text) == [
                "sip:a;lr;x=y%20z", "sip:b;lr",
            ])
        for odd in ["<sip:a;lr>, nowhere", "<sip:a:1:2;lr>, <sip:b;lr>", "<tel:1>"] {
            #expect(throws: SIPParseError.self) { try Self.headers("Record-Route: \(odd)").recordRoutes }
        }
    }

    @Test func firstValueCountsIfSecondIsHarmless() throws {
        let headers = try Self.headers(
            "Expires: 10 ;x\nExpires: 20\nContent-Type: application/sdp\nContent-Type: application/sdp\n"
                + "Retry-After: 30 soon\nMin-Expires: 60,60")
        #expect(try headers.expires == 10 && headers.minExpires == 60)
        #expect(try headers.contentType == .sdp && headers.retryAfter?.seconds == 30)
    }

    @Test func invalidPrivacyDoesNotDisclose() throws {
        #expect(try Self.headers("Privacy: id;").privacy?.hidesIdentity == true)
        #expect(try Self.headers("Privacy: @;x").privacy?.values == ["x"])
        #expect(try Self.headers("Privacy: user;<x>;critical").privacy?.isCritical == true)
        #expect(try Self.headers("Privacy: @, id").privacy?.hidesIdentity == true)
    }

    @Test func unreadableChallengeLeavesOthers() throws {
        var response = SIPResponse(.unauthorized)
        response.headers.append(.wwwAuthenticate, #"Digest realm="a", nonce="1", qop="auth","#)
        response.headers.append(.wwwAuthenticate, #"Bearer x=<y>, Digest realm="b", nonce="2""#)
        #expect(try DigestChallenge.all(in: response).map(\.realm) == ["a", "b"])
    }

    @Test func dialogKeepsTargetAfterUnreadableContact() throws {
        let invite = try request(lines: Self.lines("Contact: <sip:9901#1@192.0.2.2:5070>"))
        var dialog = try Dialog(receiving: invite, sending: invite.response(.ok, tag: "a"))
        #expect(dialog.remoteTarget.text == "sip:9901#1@192.0.2.2:5070")
        var again = try request(lines: Self.lines("Contact: nobody"))
        again.headers.set(.cSeq, CSeq(2, .invite))
        try dialog.receive(again)
        #expect(dialog.remoteTarget.text == "sip:9901#1@192.0.2.2:5070" && dialog.remoteSequence == 2)
        let own = try SIPRequest.sample(.invite)
        var success = own.response(.ok, tag: "b")
        success.headers[.contact] = "nobody"
        #expect(try Dialog(sending: own, receiving: success).remoteTarget == own.uri)
    }

    /// No peer could read a request to such a Contact: it goes to the caller's own address.
    @Test func dialogSendsNothingToUnreadableContact() throws {
        let invite = try request(lines: Self.lines("Contact: <sip:1001@192.0.2.%147:5070>"))
        var dialog = try Dialog(receiving: invite, sending: invite.response(.ok, tag: "a"))
        #expect(dialog.remoteTarget == dialog.remote.uri)
        let bye = dialog.request(.bye)
        #expect(bye.uri == dialog.remote.uri)
        #expect(throws: SIPParseError.self) { try parse(lines: "BYE sip:1001@192.0.2.%147 SIP/2.0\nX: 1\n\n") }
    }
}
