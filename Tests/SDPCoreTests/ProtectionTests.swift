import Base
import SDPCore
import Testing

struct RefusedOffer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var policy = ProtectionPolicy.mandatory
    let lines: String
    var host = "198.51.100.7"
    let expected: NegotiationError
}

@Suite("Refusals")
struct ProtectionTests {
    struct Pair: Sendable {
        let caller: ProtectionPolicy
        let called: ProtectionPolicy
        /// Nil: no call.
        let isProtected: Bool?
    }

    @Test(
        "every pair of policies agrees or not",
        arguments: [
            Pair(caller: .mandatory, called: .mandatory, isProtected: true),
            Pair(caller: .mandatory, called: .offered, isProtected: true),
            Pair(caller: .mandatory, called: .off, isProtected: nil),
            Pair(caller: .offered, called: .mandatory, isProtected: true),
            Pair(caller: .offered, called: .offered, isProtected: true),
            Pair(caller: .offered, called: .off, isProtected: nil),
            Pair(caller: .off, called: .mandatory, isProtected: nil),
            Pair(caller: .off, called: .offered, isProtected: false),
            Pair(caller: .off, called: .off, isProtected: false),
        ])
    func everyPairOfPoliciesAgreesOrNot(_ pair: Pair) throws {
        var ends = Ends(.init(protection: pair.caller), .init(protection: pair.called))
        guard let isProtected = pair.isProtected else {
            #expect(throws: NegotiationError.self) { try ends.negotiate() }
            #expect(ends.called.agreed == nil)
            return
        }
        let agreed = try ends.negotiate()
        #expect((agreed.caller.protection != nil) == isProtected)
        #expect((agreed.called.protection != nil) == isProtected)
        // And again in a hold, which keeps what was agreed.
        let held = try ends.negotiate(callerHolds: true)
        #expect(held.caller.protection == agreed.caller.protection)
        let back = try ends.negotiateBack(calledHolds: false)
        #expect(back.called.protection == agreed.called.protection)
    }

    @Test("optional protection is offered as SRTP, and once more in clear")
    func optionalProtectionIsOfferedAsSRTPAndOnceMoreInClear() throws {
        var ends = Ends(.init(protection: .offered), .init(protection: .off))
        let first = ends.caller.offer(held: false, using: &ends.generator)
        #expect(first.media[0].transport == "RTP/SAVP" && first.media[0].values(of: "crypto").count == 1)
        #expect(throws: NegotiationError.protectionUnsupported) { try ends.answer(first) }
        #expect(ends.caller.mayOfferInClear)
        ends.caller.offerInClear()
        #expect(!ends.caller.mayOfferInClear)
        let agreed = try ends.negotiate()
        #expect(agreed.caller.protection == nil && agreed.called.protection == nil)
        let second = ends.caller.offer(held: true, isOpen: true, using: &ends.generator)
        #expect(second.media[0].transport == "RTP/AVP" && second.media[0].values(of: "crypto").isEmpty)
    }

    @Test("mandatory protection is never dropped", arguments: [ProtectionPolicy.mandatory, .dtls, .off])
    func mandatoryProtectionIsNeverDropped(_ policy: ProtectionPolicy) {
        var ends = Ends(.init(protection: policy, fingerprint: Ends.fingerprint(1)))
        _ = ends.caller.offer(held: false, using: &ends.generator)
        #expect(!ends.caller.mayOfferInClear)
    }

    @Test("an INVITE without an offer gets one that an end without SRTP understands")
    func inviteWithoutOfferGetsOneThatEndWithoutSRTPUnderstands() throws {
        var ends = Ends(.init(protection: .offered))
        let offer = ends.caller.offer(held: false, isOpen: true, using: &ends.generator)
        #expect(offer.media[0].transport == "RTP/AVP" && offer.media[0].values(of: "crypto").count == 1)
        #expect(try ends.caller.conclude(Ends.description("m=audio 7000 RTP/AVP 0\r\n")).media.protection == nil)
    }

    @Test("a clear answer to optional protection counts, and the next offer is clear")
    func clearAnswerToOptionalProtectionCountsAndNextOfferIsClear() throws {
        var ends = Ends(.init(protection: .offered))
        _ = ends.caller.offer(held: false, using: &ends.generator)
        let agreed = try ends.caller.conclude(Ends.description("m=audio 7000 RTP/AVP 0\r\n"))
        #expect(agreed.media.protection == nil)
        let again = ends.caller.offerAgain(held: false)
        ends.caller.withdraw()
        for offer in [again, ends.caller.offer(held: true, using: &ends.generator)] {
            #expect(offer.media[0].transport == "RTP/AVP" && offer.media[0].values(of: "crypto").isEmpty)
        }
    }

    @Test("the key identifier of the far end's packets is known")
    func keyIdentifierOfFarEndPacketsIsKnown() throws {
        for (text, expected) in [
            ("", nil), ("|2^20", nil), ("|2^20|1:4", [0, 0, 0, 1]), ("|258:2", [1, 2]), ("|1:1", [1]),
        ] as [(String, [UInt8]?)] {
            var ends = Ends(.init(), .init())
            let line = "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd\(text)\r\n"
            let offer = try Ends.description(Self.audio + Ends.opus + line)
            let (answer, agreed) = try ends.called.answer(to: offer, held: false, using: &ends.generator)
            #expect(agreed.media.sdes?.receiveKeyIdentifier == expected)
            // Our own packets have none.
            #expect(answer.media[0].values(of: "crypto").allSatisfy { !$0.contains("|") })
        }
    }

    @Test("each suite works alone, with a key of its length", arguments: CryptoSuite.allCases)
    func eachSuiteWorksAloneWithKeyOfItsLength(_ suite: CryptoSuite) throws {
        var ends = Ends(.init(suites: [suite]), .init(suites: [suite]))
        let agreed = try ends.negotiate()
        let caller = try #require(agreed.caller.sdes)
        let called = try #require(agreed.called.sdes)
        #expect(caller.suite == suite && called.suite == suite)
        #expect(caller.sendKey == called.receiveKey && caller.receiveKey == called.sendKey)
        let length = [
            CryptoSuite.aes128Tag80: 30, .aes128Tag32: 30, .aes256Tag80: 46, .aes256Tag32: 46, .gcm128: 28, .gcm256: 44,
        ]
        #expect(caller.sendKey.count == length[suite] && called.sendKey.count == length[suite])
    }

    @Test("returning to a suite changes the key; staying keeps it; protection is never dropped")
    func returningToSuiteChangesKeyStayingKeepsIt() throws {
        let both: [CryptoSuite] = [.aes128Tag80, .aes256Tag80]
        var ends = Ends(.init(protection: .offered), .init(protection: .offered, suites: both))
        let crypto = "a=crypto:1 %S inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd%M\r\n"
        let agree = { (suite: String?) throws -> NegotiatedMedia.MasterKeys? in
            let more = suite?.contains("256") == true ? "Hh8gISIjJCUmJygpKissLQ==" : ""
            let line = suite.map { crypto.replacing("%S", with: $0).replacing("%M", with: more) } ?? ""
            let offer = try Ends.description("m=audio 7000 RTP/AVP 111\r\n" + Ends.opus + line)
            return try ends.answer(offer).sdes
        }
        let first = try #require(try agree("AES_CM_128_HMAC_SHA1_80"))
        #expect(try agree("AES_CM_128_HMAC_SHA1_80")?.sendKey == first.sendKey)
        let other = try #require(try agree("AES_256_CM_HMAC_SHA1_80"))
        #expect(other.sendKey != first.sendKey)
        let second = try #require(try agree("AES_CM_128_HMAC_SHA1_80"))
        #expect(second.sendKey != first.sendKey)
        // A description that was protected once is not offered in clear.
        do {
            _ = try agree(nil)
            Issue.record("an offer in clear was taken")
        } catch {
            #expect(error as? NegotiationError == .protectionRequired)
        }
        #expect(ends.called.agreed?.media.sdes == second)
    }

    @Test("a call with long tags never gets short ones")
    func callWithLongTagsNeverGetsShortOnes() throws {
        let both: [CryptoSuite] = [.aes128Tag32, .aes128Tag80]
        let crypto = "a=crypto:%T %S inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd\r\n"
        func line(_ tag: Int, _ suite: CryptoSuite) -> String {
            crypto.replacing("%T", with: "\(tag)").replacing("%S", with: suite.rawValue)
        }
        let head = "m=audio 7000 RTP/SAVP 111\r\n" + Ends.opus
        let long = try Ends.description(head + line(1, .aes128Tag80))
        let short = try Ends.description(head + line(1, .aes128Tag32))
        var ends = Ends(.init(protection: .mandatory, suites: both), .init(protection: .mandatory, suites: both))
        _ = try ends.called.answer(to: short, held: false, using: &ends.generator)
        let agreed = try ends.called.answer(to: long, held: false, using: &ends.generator).agreed
        #expect(agreed.media.sdes?.suite == .aes128Tag80, "they may become longer")
        #expect(throws: NegotiationError.protectionUnsupported) {
            try ends.called.answer(to: short, held: false, using: &ends.generator)
        }
        #expect(ends.called.agreed?.media.protection == agreed.media.protection)
        // In an answer to our own offer, too.
        _ = ends.caller.offer(held: false, using: &ends.generator)
        _ = try ends.caller.conclude(Ends.description(head + line(2, .aes128Tag80)))
        _ = ends.caller.offer(held: false, isOpen: true, using: &ends.generator)
        #expect(throws: NegotiationError.protectionUnsupported) {
            try ends.caller.conclude(Ends.description(head + line(1, .aes128Tag32)))
        }
    }

    @Test("suites with short tags are neither offered nor accepted by default", arguments: ProtectionPolicy.allCases)
    func suitesWithShortTagsAreNeitherOfferedNorAcceptedByDefault(_ policy: ProtectionPolicy) throws {
        let fingerprint = Ends.fingerprint(1)
        var ends = Ends(
            .init(protection: policy, fingerprint: fingerprint), .init(protection: policy, fingerprint: fingerprint))
        let offer = ends.caller.offer(held: false, using: &ends.generator)
        #expect(offer.media[0].values(of: "crypto").allSatisfy { !$0.contains("_32 ") })
        let key = "inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd\r\n"
        let short = "m=audio 7000 RTP/SAVP 111\r\n" + Ends.opus + "a=crypto:1 AES_CM_128_HMAC_SHA1_32 " + key
        let expected = policy == .dtls ? NegotiationError.protectionRequired : .protectionUnsupported
        #expect(throws: expected) {
            try ends.called.answer(to: Ends.description(short), held: false, using: &ends.generator)
        }
        guard policy != .off, policy != .dtls else { return }
        let both = short + "a=crypto:2 AES_CM_128_HMAC_SHA1_80 " + key
        let agreed = try ends.called.answer(to: Ends.description(both), held: false, using: &ends.generator).agreed
        #expect(agreed.media.sdes?.suite == .aes128Tag80)
    }

    @Test("suites are offered in configured order, and the far end's first is chosen")
    func suitesAreOfferedInConfiguredOrderAndFarEndFirstIsChosen() throws {
        let suites: [CryptoSuite] = [.aes128Tag32, .gcm128, .aes256Tag80]
        var ends = Ends(.init(suites: suites), .init(suites: suites))
        let offer = ends.caller.offer(held: false, using: &ends.generator)
        let names = offer.media[0].values(of: "crypto").compactMap { $0.split(separator: " ").dropFirst().first }
        #expect(names == ["AES_CM_128_HMAC_SHA1_32", "AEAD_AES_128_GCM", "AES_256_CM_HMAC_SHA1_80"])
        let answered = try ends.called.answer(to: offer, held: false, using: &ends.generator)
        #expect(answered.agreed.media.sdes?.suite == .aes128Tag32)
        #expect(answered.description.media[0].values(of: "crypto").count == 1)
    }

    static let audio = "m=audio 7000 RTP/SAVP 111\r\n"
    static let refused: [RefusedOffer] = [
        .init(testDescription: "nothing", lines: "", expected: .noAudio),
        .init(testDescription: "only video", lines: "m=video 1 RTP/AVP 31\r\n", expected: .noAudio),
        .init(testDescription: "refused audio", lines: "m=audio 0 RTP/SAVP 111\r\n" + Ends.opus, expected: .noAudio),
        .init(
            testDescription: "TCP", lines: "m=audio 7000 TCP/RTP/AVP 111\r\n" + Ends.opus,
            expected: .unsupportedTransport("TCP/RTP/AVP")),
        .init(
            testDescription: "DTLS without a fingerprint", lines: "m=audio 7000 UDP/TLS/RTP/SAVPF 111\r\n" + Ends.opus,
            expected: .protectionUnsupported),
        .init(testDescription: "only GSM", lines: "m=audio 7000 RTP/SAVP 3\r\n" + Ends.key, expected: .noCommonCodec),
        .init(
            testDescription: "Opus with another clock", lines: audio + "a=rtpmap:111 opus/16000/2\r\n" + Ends.key,
            expected: .noCommonCodec),
        .init(
            testDescription: "Opus on a type that looks like control packets",
            lines: "m=audio 7000 RTP/SAVP 72\r\na=rtpmap:72 opus/48000/2\r\n" + Ends.key, expected: .noCommonCodec),
        .init(testDescription: "no key", lines: audio + Ends.opus, expected: .protectionUnsupported),
        .init(
            testDescription: "in clear", lines: "m=audio 7000 RTP/AVP 111\r\n" + Ends.opus,
            expected: .protectionRequired),
        .init(
            testDescription: "another suite",
            lines: audio + Ends.opus
                + "a=crypto:1 F8_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd\r\n",
            expected: .protectionUnsupported),
        .init(
            testDescription: "a short key",
            lines: audio + Ends.opus + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAA\r\n",
            expected: .protectionUnsupported),
        .init(
            testDescription: "a key identifier that does not fit into its length",
            lines: audio + Ends.opus
                + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd|2^20|256:1\r\n",
            expected: .protectionUnsupported),
        .init(
            testDescription: "two key identifiers",
            lines: audio + Ends.opus
                + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd|1:4|1:4\r\n",
            expected: .protectionUnsupported),
        .init(
            testDescription: "no encryption",
            lines: audio + Ends.opus
                + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd "
                + "UNENCRYPTED_SRTP\r\n",
            expected: .protectionUnsupported),
        .init(
            testDescription: "a name for an address", lines: audio + Ends.opus + Ends.key, host: "far.example",
            expected: .unusableAddress),
        .init(
            testDescription: "multicast", lines: audio + Ends.opus + Ends.key, host: "224.0.1.75",
            expected: .unusableAddress),
        .init(
            testDescription: "broadcast", lines: audio + Ends.opus + Ends.key, host: "255.255.255.255",
            expected: .unusableAddress),
        .init(
            testDescription: "protection where it is off", policy: .off, lines: audio + Ends.opus + Ends.key,
            expected: .protectionUnsupported),
    ]

    @Test("an unacceptable offer changes nothing", arguments: refused)
    func unacceptableOfferChangesNothing(_ offer: RefusedOffer) throws {
        var ends = Ends(.init(), .init(protection: offer.policy))
        let before = ends.called
        let description = try Ends.description(offer.lines, host: offer.host)
        #expect(throws: offer.expected) { try ends.called.answer(to: description, held: false, using: &ends.generator) }
        #expect(ends.called == before)
    }

    struct Answer: Sendable {
        let lines: String
        let expected: NegotiationError
    }

    @Test(
        "an invalid answer leaves the offer pending",
        arguments: [
            Answer(lines: "", expected: .answerDoesNotMatch),
            Answer(lines: "m=video 7000 RTP/SAVP 96\r\n", expected: .answerDoesNotMatch),
            Answer(lines: audio + audio, expected: .noCommonCodec),
            Answer(lines: "m=audio 0 RTP/SAVP 96\r\n", expected: .noAudio),
            Answer(lines: audio + Ends.opus, expected: .protectionUnsupported),
            // A tag that was never offered.
            Answer(lines: audio + Ends.opus + Ends.key, expected: .protectionUnsupported),
            Answer(lines: "m=audio 7000 RTP/AVP 111\r\n" + Ends.opus, expected: .protectionRequired),
        ])
    func invalidAnswerLeavesOfferPending(_ answer: Answer) throws {
        var ends = Ends()
        _ = ends.caller.offer(held: false, using: &ends.generator)
        let description = try Ends.description(answer.lines)
        #expect(throws: answer.expected) { try ends.caller.conclude(description) }
        #expect(ends.caller.isOffering && ends.caller.agreed == nil)
    }

    @Test("keys are never printed")
    func keysAreNeverPrinted() throws {
        var ends = Ends()
        let agreed = try ends.negotiate().caller
        let key = unsafe try #require(agreed.sdes).sendKey.withBytes { unsafe Array($0) }
        #expect(!"\(agreed)".contains(key.map(String.init).joined(separator: ", ")))
        #expect("\(agreed)".contains("redacted"))
    }
}
