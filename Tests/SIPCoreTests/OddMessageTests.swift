import SIPCore
import Testing

/// Messages of real devices and of careless programs, whose faults are in parts that nobody needs.
@Suite struct OddMessageTests {
    private static func invite(
        via: String = "SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKx", from: String = "<sip:bob@example.com>;tag=b1",
        to: String = "<sip:alice@192.0.2.1>", more: String = "X: 1", body: String = ""
    ) -> String {
        """
        INVITE sip:alice@192.0.2.1 SIP/2.0
        Via: \(via)
        From: \(from)
        To: \(to)
        Call-ID: c
        CSeq: 1 INVITE
        \(more)

        \(body)
        """
    }

    @Test(
        arguments: [
            ("SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKx;", "z9hG4bKx"),
            ("SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKx;;rport", "z9hG4bKx"),
            ("SIP/2.0/UDP 192.0.2.2;rport;branch=z9hG4bKx;x=<y>", "z9hG4bKx"),
            ("SIP/2.0/UDP 192.0.2.2;branch=z9hG4bK{8F-1};rport", nil),
            ("SIP/2.0/UDP 192.0.2.2;branch=;rport", nil),
            ("SIP/2.0/UDP 192.0.2.2 ;branch=z9hG4bKx", "z9hG4bKx"),
            ("SIP/2.0/UDP 192.0.2.2:5060;branch=z9hG4bKx (comment)", "z9hG4bKx"),
            ("SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKx;i=\u{22}a,b\u{22}", "z9hG4bKx"),
        ] as [(String, String?)])
    func pathIsReadBesideUnreadableParameters(via: String, branch: String?) throws {
        let message = try parse(lines: Self.invite(via: via))
        try message.validate()
        let top = try message.headers.topVia
        #expect(top.host == "192.0.2.2" && (branch == nil || top.branch == branch))
        // The response repeats the header unchanged.
        guard case .request(let request) = message else { throw Unexpected() }
        #expect(request.response(.ok, tag: "t").headers[.via] == via)
    }

    @Test func unreadableLaterHopDoesNotHideTopOne() throws {
        let message = try parse(
            lines: Self.invite(via: "SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKx\nVia: SIP/2.0/UDP [fe80::1%25eth0]:5060"))
        try message.validate()
        #expect(try message.headers.topVia.host == "192.0.2.2")
        let list = try parse(lines: Self.invite(via: "SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKx, SIP/2.0/UDP a b c"))
        try list.validate()
        #expect(try list.headers.topVia.branch == "z9hG4bKx")
    }

    @Test(
        arguments: [
            (#""Bob "The Man" Smith" <sip:bob@c>;tag=1"#, "Smith"), (#""Bob <sip:bob@c>;tag=1"#, "Bob"),
            (#"'Bob' <sip:bob@c>;tag=1"#, "Bob"), (#"Smith, Bob <sip:bob@c>;tag=1"#, "Bob"),
            (#""Bob\" <sip:bob@c>;tag=1"#, "Bob"), (#"Bob; Smith <sip:bob@c>;tag=1"#, "Bob"),
            (#""Bob"sip:bob@c;tag=1"#, "Bob"), ("<sip:bob@c> ;tag=1", nil), ("< sip:bob@c >;tag=1", nil),
            ("sip:bob@c ;tag=1", nil), ("B\u{F6}b <sip:bob@c>;tag=1", "B"),
        ] as [(String, String?)])
    func callerIsReadDespiteOddName(from: String, name: String?) throws {
        let message = try parse(lines: Self.invite(from: from))
        try message.validate()
        let read = try message.headers.from
        #expect(read.uri.sip?.user == "bob" && read.tag == "1")
        #expect(name == nil || read.displayName?.contains(name ?? "") == true, "\(read.displayName ?? "-")")
        // And it can be sent again.
        #expect(try NameAddress(read.text).tag == "1")
    }

    @Test(arguments: [
        #""Ca"rol" <sip:carol@d>, <tel:+4930>"#, #""Carol <sip:carol@d>, <tel:+4930>"#,
        #"Carol's <sip:carol@d>,<tel:+4930>"#,
        #""Carol" <sip:carol@d>;x="y,<tel:+4930>"#, #"C: Carol <sip:carol@d>, <tel:+4930>"#,
    ])
    func assertedIdentityIsReadDespiteOddName(value: String) throws {
        let message = try parse(lines: Self.invite(more: "P-Asserted-Identity: \(value)"))
        let identities = try message.headers.assertedIdentities
        #expect(identities.first?.uri.sip?.user == "carol", "\(identities)")
    }

    /// The first bracket may belong to the name (RFC 4475 §3.1.2.6).
    @Test func nameWithTwoAddressesIsAmbiguous() throws {
        let from = "\"Mr. User <sip:user@example.com> <sip:real@example.net>;tag=1"
        #expect(throws: SIPParseError.self) { try parse(lines: Self.invite(from: from)).validate() }
    }

    @Test func latin1NameIsNoReasonToRefuse() throws {
        let wire = Array(wire(Self.invite(from: "\"M?ller\" <sip:bob@c>;tag=1")))
        let bytes = wire.map { $0 == UInt8(ascii: "?") ? 0xFC : $0 }
        let message = try parse(bytes)
        try message.validate()
        #expect(try message.headers.from.tag == "1")
    }

    @Test(arguments: [
        "Content-Length: 4\nl: 4", "Content-Length:4", "Content-Length: 4 ", "Content-Length : 4", "CONTENT-LENGTH: 4",
        "Content-Length: 0004",
    ])
    func lengthIsReadAsDevicesWriteIt(line: String) throws {
        let message = try parse(lines: Self.invite(more: line, body: "v=0\n"))
        #expect(message.body.count == 4)
    }

    @Test func differentLengthsAreAFault() {
        #expect(throws: SIPParseError.self) {
            try parse(lines: Self.invite(more: "Content-Length: 4\nl: 3", body: "v=0\n"))
        }
    }

    @Test(arguments: [
        "SIP/2.0 200", "SIP/2.0 200 ", "SIP/2.0 200  OK", "sip/2.0 200 ok", "SIP/2.0 200 O\u{E9}K",
    ])
    func statusLineIsReadWithAnyPhrase(line: String) throws {
        #expect(try response(lines: "\(line)\nX: 1\n\n").status == .ok)
    }

    @Test(arguments: [
        "INVITE sip:alice@192.0.2.1;; SIP/2.0", "INVITE sip:alice@192.0.2.1; SIP/2.0",
        "INVITE sip:alice@192.0.2.1;x=<y> SIP/2.0",
    ])
    func requestLineIsReadDespiteOddParameters(line: String) throws {
        #expect(try request(lines: "\(line)\nX: 1\n\n").uri.sip?.user == "alice")
    }

    @Test(
        arguments: [
            (#"Digest realm="a",nonce="1",qop="auth, auth-int",algorithm="MD5""#, true),
            (#"Digest realm="a", nonce="1", algorithm=md5, stale=FALSE,"#, true),
            (#"DIGEST  realm="a" , nonce = "1" , opaque="""#, true), (#"Digest realm="a",,nonce="1""#, true),
            (#"Digest realm="a", nonce="1", qop="""#, true), (#"Digest realm=a, nonce=1=="#, true),
            (#"Digest realm="a" nonce="1""#, true), (#"Digest realm="", nonce="1", qop=auth"#, true),
            (#"Digest realm="a", nonce="1", domain="sip:a sip:b", qop="auth";x"#, true),
            (#"Digest realm="a", nonce="1", algorithm="#, true), (#"Digest nonce="1""#, false),
        ])
    func challengeIsReadAsServersWriteIt(value: String, isUsable: Bool) throws {
        var response = SIPResponse(.unauthorized)
        response.headers.append(.wwwAuthenticate, value)
        let challenges = (try? DigestChallenge.all(in: response)) ?? []
        #expect(challenges.count == (isUsable ? 1 : 0))
        #expect(!isUsable || challenges.first?.nonce.hasPrefix("1") == true)
    }

    @Test(
        arguments: [
            ("1800;refresher=uac;", 1_800), ("1800 ;refresher=UAS", 1_800), ("1800;;refresher=uac", 1_800),
            ("1800 seconds", 1_800), ("1800,1800", 1_800), ("1800\nx: 90", 1_800),
        ] as [(String, UInt32)])
    func sessionTimeIsReadDespiteRubbish(value: String, seconds: UInt32) throws {
        let message = try parse(lines: Self.invite(more: "Session-Expires: \(value)"))
        #expect(try message.headers.sessionExpires?.seconds == seconds)
    }

    @Test(arguments: [
        "Q.850;cause=16;text=\"Normal\";", "Q.850 ;cause=\"16\"", "q.850;;cause=16", "Q.850;cause=16;text=a b",
    ])
    func reasonIsReadDespiteRubbish(value: String) throws {
        let reason = try #require(try parse(lines: Self.invite(more: "Reason: \(value)")).headers.reasons.first)
        #expect(reason.cause == 16)
    }
}
