import Base
import SDPCore
import Testing

/// Lines with too few or unusable DTLS attributes.
private let unusable: [String] = [
    DTLSTests.line(setup: "holdconn"), DTLSTests.line(setup: nil), DTLSTests.line(setup: "both"),
    DTLSTests.line(fingerprint: nil), DTLSTests.line(fingerprint: nil, more: "a=fingerprint:sha-1 AA:BB\r\n"),
    DTLSTests.line(fingerprint: nil, more: "a=fingerprint:sha-256 AA:BB\r\n"),
    DTLSTests.line(
        fingerprint: nil,
        more: "a=fingerprint:sha-256 \(Array(repeating: "+1", count: 32).joined(separator: ":"))\r\n"),
]

/// DTLS-SRTP (RFC 5763, RFC 8842) in session descriptions.
@Suite("DTLS in descriptions")
struct DTLSTests {
    private static let caller = Ends.fingerprint(0x0A)
    private static let called = Ends.fingerprint(0xB7)

    private static func capabilities(
        _ policy: ProtectionPolicy = .dtls, _ fingerprint: CertificateFingerprint?
    ) -> MediaCapabilities {
        MediaCapabilities(protection: policy, fingerprint: fingerprint)
    }

    private static func ends(_ caller: ProtectionPolicy = .dtls, _ called: ProtectionPolicy = .dtls) -> Ends {
        Ends(capabilities(caller, Self.caller), capabilities(called, Self.called))
    }

    /// A line of another phone with these DTLS attributes.
    static func line(
        _ transport: String = "UDP/TLS/RTP/SAVPF", fingerprint: CertificateFingerprint? = Ends.fingerprint(0xC3),
        setup: String? = "actpass", more: String = ""
    ) -> String {
        let digest = fingerprint?.digest.map { String($0, radix: 16) }.joined(separator: ":")
        let named = digest.map { "a=fingerprint:SHA-256 \($0)\r\n" } ?? ""
        return "m=audio 7000 \(transport) 111\r\n" + Ends.opus + named + (setup.map { "a=setup:\($0)\r\n" } ?? "")
            + more
    }

    @Test("the answerer starts the handshake, each end has the other's fingerprint, and a hold changes nothing")
    func answererStartsHandshakeEachEndHasOtherFingerprint() throws {
        var ends = Self.ends()
        let agreed = try ends.negotiate()
        #expect(agreed.caller.dtls == .init(isActive: false, fingerprints: [Self.called.digest]))
        #expect(agreed.called.dtls == .init(isActive: true, fingerprints: [Self.caller.digest]))
        let held = try ends.negotiate(callerHolds: true)
        #expect(held.caller.dtls == agreed.caller.dtls && held.called.dtls == agreed.called.dtls)
        let back = try ends.negotiateBack(calledHolds: false)
        #expect(back.caller.dtls == agreed.caller.dtls && back.called.dtls == agreed.called.dtls)
        let again = ends.called.offerAgain(held: false)
        let answer = try ends.caller.answer(to: again, held: false, using: &ends.generator)
        #expect(answer.agreed.media.dtls == agreed.caller.dtls)
        #expect(try ends.called.conclude(answer.description).media.dtls == agreed.called.dtls)
    }

    @Test("an offer has the DTLS attributes")
    func offerHasDTLSAttributes() throws {
        var ends = Self.ends()
        let media = try #require(ends.caller.offer(held: false, using: &ends.generator).media.first)
        #expect(media.transport == "UDP/TLS/RTP/SAVP" && media.hasFlag("rtcp-mux"))
        #expect(media.values(of: "setup") == ["actpass"] && media.values(of: "crypto").isEmpty)
        let octets = Array(repeating: "0A", count: 32).joined(separator: ":")
        #expect(media.values(of: "fingerprint") == ["sha-256 \(octets)"])
    }

    @Test("a policy with encryption accepts DTLS; one that requires DTLS accepts nothing else")
    func policyWithEncryptionAcceptsDTLS() throws {
        for called in [ProtectionPolicy.mandatory, .offered, .dtls] {
            var ends = Self.ends(.dtls, called)
            #expect(try ends.negotiate().caller.dtls != nil, "\(called)")
        }
        for caller in [ProtectionPolicy.mandatory, .offered, .off] {
            var ends = Self.ends(caller, .dtls)
            #expect(throws: NegotiationError.protectionRequired) { try ends.negotiate() }
        }
        var off = Self.ends(.dtls, .off)
        #expect(throws: NegotiationError.protectionUnsupported) { try off.negotiate() }
        var bare = Ends(Self.capabilities(.dtls, Self.caller), Self.capabilities(.mandatory, nil))
        #expect(throws: NegotiationError.protectionUnsupported) { try bare.negotiate() }
    }

    @Test("a browser's offer is accepted: BUNDLE with one line, mid, early feedback and extension headers")
    func browserOfferIsAcceptedBUNDLEWithOneLineMid() throws {
        var ends = Self.ends()
        let digest = Array(repeating: "5E", count: 32).joined(separator: ":")
        let session = "a=group:BUNDLE 0 1\r\na=extmap-allow-mixed\r\na=fingerprint:sha-256 \(digest)\r\n"
        let more = "a=mid:0\r\na=rtcp-mux\r\na=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level\r\n"
        let video = "m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 VP8/90000\r\na=mid:1\r\n"
        let offer = try Ends.description(session + Self.line(fingerprint: nil, more: more) + video)
        let answer = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(answer.agreed.media.dtls == .init(isActive: true, fingerprints: [Ends.fingerprint(0x5E).digest]))
        let (audio, refused) = (answer.description.media[0], answer.description.media[1])
        #expect(audio.transport == "UDP/TLS/RTP/SAVPF" && audio.values(of: "mid") == ["0"])
        #expect(audio.values(of: "setup") == ["active"] && refused.port == 0)
        #expect(answer.description.values(of: "group") == ["BUNDLE 0"])
        #expect(audio.values(of: "extmap").isEmpty)
        let next = ends.called.offer(held: true, using: &ends.generator)
        #expect(next.values(of: "group") == ["BUNDLE 0"] && next.media[0].values(of: "mid") == ["0"])
        #expect(next.media[0].values(of: "setup") == ["actpass"])
    }

    @Test("each offered role gets its answer", arguments: ["actpass": true, "passive": true, "active": false])
    func eachOfferedRoleGetsItsAnswer(setup: String, isActive: Bool) throws {
        var ends = Self.ends()
        let agreed = try ends.answer(Ends.description(Self.line(setup: setup)))
        #expect(agreed.dtls?.isActive == isActive)
    }

    @Test("an offer without a role or a usable fingerprint is rejected", arguments: unusable)
    func offerWithoutRoleOrUsableFingerprintIsRejected(_ lines: String) throws {
        var ends = Self.ends()
        let before = ends.called
        let description = try Ends.description(lines)
        #expect(throws: NegotiationError.protectionUnsupported) {
            try ends.called.answer(to: description, held: false, using: &ends.generator)
        }
        #expect(ends.called == before)
    }

    @Test(
        "an answer needs a role and a fingerprint",
        arguments: unusable + [DTLSTests.line(setup: "actpass")])
    func answerNeedsRoleAndFingerprint(_ lines: String) throws {
        var ends = Self.ends()
        _ = ends.caller.offer(held: false, using: &ends.generator)
        let description = try Ends.description(lines)
        #expect(throws: NegotiationError.protectionUnsupported) { try ends.caller.conclude(description) }
        #expect(ends.caller.isOffering && ends.caller.agreed == nil)
    }

    @Test("of the same voice with both kinds of keys, DTLS is chosen")
    func ofSameVoiceWithBothKindsOfKeysDTLSIsChosen() throws {
        var ends = Self.ends(.dtls, .mandatory)
        let sdes = "m=audio 7002 RTP/SAVP 111\r\n" + Ends.opus + Ends.key
        let agreed = try ends.answer(Ends.description(sdes + Self.line()))
        #expect(agreed.dtls?.fingerprints == [Ends.fingerprint(0xC3).digest] && agreed.remote.port == 7_000)
    }

    @Test("the transport name of old browsers is accepted")
    func transportNameOfOldBrowsersIsAccepted() throws {
        var ends = Self.ends()
        #expect(try ends.answer(Ends.description(Self.line("RTP/SAVPF"))).dtls != nil)
    }

    @Test("a call never falls back from DTLS to SDES or to clear")
    func callNeverFallsBackFromDTLSToSDESOrToClear() throws {
        for (lines, fault) in [
            ("m=audio 7000 RTP/SAVP 111\r\n" + Ends.opus + Ends.key, NegotiationError.protectionRequired),
            ("m=audio 7000 RTP/AVP 111\r\n" + Ends.opus, .protectionRequired),
        ] {
            for policy in [ProtectionPolicy.mandatory, .offered, .dtls] {
                var ends = Self.ends(.dtls, policy)
                let agreed = try ends.answer(Ends.description(Self.line()))
                let description = try Ends.description(lines)
                #expect(throws: fault) {
                    try ends.called.answer(to: description, held: false, using: &ends.generator)
                }
                #expect(ends.called.agreed?.media == agreed)
            }
        }
        // But SDES may be replaced by DTLS.
        var ends = Self.ends(.dtls, .mandatory)
        _ = try ends.answer(Ends.description("m=audio 7000 RTP/SAVP 111\r\n" + Ends.opus + Ends.key))
        #expect(try ends.answer(Ends.description(Self.line())).dtls != nil)
    }

    @Test("another certificate or role starts another handshake")
    func anotherCertificateOrRoleStartsAnotherHandshake() throws {
        var ends = Self.ends()
        let first = try ends.answer(Ends.description(Self.line()))
        #expect(try ends.answer(Ends.description(Self.line(setup: "passive"))).dtls == first.dtls)
        #expect(try ends.answer(Ends.description(Self.line(setup: "active"))).dtls?.isActive == false)
        #expect(try ends.answer(Ends.description(Self.line())).dtls?.isActive == false, "the existing one stays")
        let other = try ends.answer(Ends.description(Self.line(fingerprint: Ends.fingerprint(0xD4))))
        #expect(other.dtls == .init(isActive: true, fingerprints: [Ends.fingerprint(0xD4).digest]))
    }

    // MARK: Another association with the same certificate

    /// The number of the association after a first offer and another one.
    private func number(after first: String, _ second: String) throws -> UInt32? {
        var ends = Self.ends()
        #expect(try #require(try ends.answer(Ends.description(first)).dtls).number == nil)
        return try #require(try ends.answer(Ends.description(second)).dtls).number
    }

    @Test("a re-INVITE without DTLS attributes keeps the association")
    func reINVITEWithoutDTLSAttributesKeepsAssociation() throws {
        #expect(try number(after: Self.line(), Self.line(more: "a=sendonly\r\n")) == nil)
        let named = Self.line(more: "a=tls-id:abcdefghijklmnopqrst\r\n")
        #expect(try number(after: named, named) == nil)
        #expect(try number(after: Self.line(), named) == nil)
        #expect(try number(after: named, Self.line()) == nil)
    }

    @Test("another tls-id is another association", arguments: [false, true])
    func anotherTlsIdIsAnotherAssociation(isLeftOutBetween: Bool) throws {
        var ends = Self.ends()
        let lines = ["abcdefghijklmnopqrst", "bcdefghijklmnopqrstu"].map { Self.line(more: "a=tls-id:\($0)\r\n") }
        _ = try ends.answer(Ends.description(lines[0]))
        if isLeftOutBetween { _ = try ends.answer(Ends.description(Self.line())) }
        #expect(try ends.answer(Ends.description(lines[1])).dtls?.number == 1)
        #expect(try ends.answer(Ends.description(lines[1])).dtls?.number == 1)
    }

    /// Asterisk writes `existing` into its answer to a first hold, and begins another association.
    @Test("without ICE, offers and answers decide by a=connection", arguments: ["new", "existing"])
    func withoutICEOffersAndAnswersDecideByConnection(value: String) throws {
        #expect(try number(after: Self.line(), Self.line(more: "a=connection:\(value)\r\n")) == 1)
    }

    @Test("with ICE, only a new connection is another association", arguments: ["new": 1, "existing": nil])
    func withICEOnlyNewConnectionIsAnotherAssociation(value: String, number: UInt32?) throws {
        var ends = Self.ends()
        let ice = ICETests.local(ICETests.far, .whenOffered, &ends.generator)
        ends.called = ICETests.end(ends.called, ice, &ends.generator)
        let line = Self.line(more: "a=rtcp-mux\r\n" + ICETests.credentials)
        let first = try ends.answer(Ends.description(line))
        #expect(first.ice != nil && first.dtls != nil && first.dtls?.number == nil)
        let next = try ends.answer(Ends.description(line + "a=connection:\(value)\r\n"))
        #expect(next.dtls != nil && next.dtls?.number == number)
    }

    @Test("an answer may start another association, too")
    func answerMayStartAnotherAssociationToo() throws {
        var ends = Self.ends()
        _ = try ends.negotiate()
        let offer = ends.caller.offer(held: true, using: &ends.generator)
        let answer = try Ends.description(
            Self.line(fingerprint: Self.called, setup: "passive", more: "a=connection:new\r\n"), host: "192.0.2.2")
        var moved = answer
        moved.media[0].port = 5_000
        #expect(offer.media[0].values(of: "setup") == ["actpass"])
        #expect(
            try ends.caller.conclude(moved).media.dtls
                == .init(isActive: true, fingerprints: [Self.called.digest], number: 1))
    }

    /// RFC 5763 §6.6: an association belongs to its transport. A peer elsewhere with the same certificate may be
    /// another process.
    @Test("without ICE, another address of either end is another association at both")
    func withoutICE() throws {
        var ends = Self.ends()
        _ = try ends.negotiate()
        ends.caller.move(to: "192.0.2.77")
        let moved = try ends.negotiate()
        #expect(moved.caller.dtls?.number == 1 && moved.called.dtls?.number == 1)
        let back = try ends.negotiateBack(calledHolds: true)
        #expect(back.caller.dtls?.number == 1 && back.called.dtls?.number == 1)
    }

    @Test("a hold by a zero address moves neither end")
    func holdByZeroAddressMovesNeitherEnd() throws {
        var ends = Self.ends()
        _ = try ends.answer(Ends.description(Self.line()))
        let held = try ends.answer(Ends.description(Self.line(), host: "0.0.0.0"))
        #expect(held.dtls != nil && held.dtls?.number == nil)
    }

    @Test("after a lost session the answerer starts another association with the same certificate")
    func renewed() throws {
        var ends = Self.ends()
        #expect(try ends.negotiate().caller.dtls?.isActive == false)
        let offer = try Ends.description(Self.line(fingerprint: Self.called))
        _ = ends.caller.renew(at: "192.0.2.1", for: offer, using: &ends.generator)
        let agreed = try ends.caller.answer(to: offer, held: false, using: &ends.generator).agreed
        #expect(agreed.media.dtls == .init(isActive: true, fingerprints: [Self.called.digest], number: 1))
    }
}
