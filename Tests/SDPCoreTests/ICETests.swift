import Base
import ICECore
import SDPCore
import Testing

/// ICE in session descriptions (RFC 8839).
@Suite struct ICETests {
    static let host = "1 1 UDP 2130706431 192.0.2.1 4000 typ host"
    static let far = "1 1 UDP 2130706431 192.0.2.2 5000 typ host"

    /// When an end uses ICE.
    enum Use {
        case whenOffered, always
        case relayed(MediaAddress)
    }

    /// Two ends with these ICE policies.
    static func ends(_ caller: Use? = .always, _ called: Use? = .whenOffered) -> Ends {
        var ends = Ends(.init(protection: .offered), .init(protection: .offered))
        ends.caller = end(ends.caller, caller.map { local(host, $0, &ends.generator) }, &ends.generator)
        ends.called = end(ends.called, called.map { local(far, $0, &ends.generator) }, &ends.generator)
        return ends
    }

    static func end(
        _ end: MediaNegotiation, _ ice: LocalICE?, _ generator: inout SeededGenerator
    ) -> MediaNegotiation {
        MediaNegotiation(capabilities: end.capabilities, local: end.local, ice: ice, using: &generator)
    }

    static func local(_ candidate: String, _ use: Use, _ generator: inout SeededGenerator) -> LocalICE {
        let description = ICEDescription(ICECredentials(using: &generator), candidates: [candidate])
        return switch use {
        case .whenOffered: LocalICE(description, isOffered: false)
        case .always: LocalICE(description, isOffered: true)
        case .relayed(let address): LocalICE(description, isOffered: true, onlyAddress: address)
        }
    }

    @Test func offererControls() throws {
        var ends = Self.ends()
        let (caller, called) = try ends.negotiate()
        let (ours, theirs) = (try #require(caller.ice), try #require(called.ice))
        #expect(ours.isControlling && !theirs.isControlling)
        #expect(ours.local == theirs.remote && ours.remote == theirs.local)
        #expect(ours.local.candidates == [Self.host] && ours.remote.candidates == [Self.far])
    }

    @Test(arguments: [(nil, .always), (.always, nil), (.whenOffered, .always)] as [(Use?, Use?)])
    func oneEndAloneUsesNoICE(caller: Use?, called: Use?) throws {
        var ends = Self.ends(caller, called)
        let (ours, theirs) = try ends.negotiate()
        #expect(ours.ice == nil && theirs.ice == nil)
        #expect(ours.remote == .init(host: "192.0.2.2", port: 5000))
    }

    /// The far end could not read them.
    @Test func invalidCredentialsAreNotOffered() throws {
        var ends = Self.ends()
        let short = ICEDescription(userFragment: "abc", password: SecretBytes([0x70]), candidates: [Self.host])
        ends.caller.gathered(LocalICE(short, isOffered: true))
        let offer = ends.caller.offer(held: false, using: &ends.generator)
        #expect(offer.media[0].values(of: "candidate").isEmpty)
        #expect(try ends.answer(offer).ice == nil)
    }

    @Test func holdContinuesSession() throws {
        var ends = Self.ends()
        let first = try ends.negotiate().caller.ice
        #expect(try ends.negotiate(callerHolds: true).caller.ice == first)
        // A later offer does not change the controlling role.
        #expect(try ends.negotiateBack(calledHolds: true).caller.ice == first)
    }

    @Test func newCredentialsStartSessionAtBothEnds() throws {
        var ends = Self.ends()
        let first = try #require(try ends.negotiate().caller.ice)
        ends.caller.gathered(Self.local("2 1 UDP 2130706431 192.0.2.9 4000 typ host", .always, &ends.generator))
        let second = try #require(try ends.negotiate().caller.ice)
        #expect(!second.local.hasCredentials(of: first.local))
        #expect(!second.remote.hasCredentials(of: first.remote))
        #expect(second.isControlling)
    }

    /// The called end has other candidates by now, and offers them when it is its turn. Until then its answers belong
    /// to the current session.
    @Test func answersStartNoSession() throws {
        var ends = Self.ends()
        let first = try #require(try ends.negotiate().called.ice)
        ends.called.gathered(Self.local("2 1 UDP 2130706431 192.0.2.9 5000 typ host", .always, &ends.generator))
        #expect(try ends.negotiate(callerHolds: true).called.ice == first)
        let next = try #require(try ends.negotiateBack(calledHolds: false).called.ice)
        #expect(!next.local.hasCredentials(of: first.local))
    }

    @Test func relayedOnlyShowsNoLocalAddress() throws {
        var ends = Self.ends(.relayed(.init(host: "203.0.113.5", port: 49_200)))
        let text = String(decoding: ends.caller.offer(held: false, using: &ends.generator).bytes, as: UTF8.self)
        #expect(text.contains("c=IN IP4 203.0.113.5") && text.contains("m=audio 49200 "))
        #expect(!text.replacing(Self.host, with: "").contains("192.0.2.1"))
    }

    /// Some media servers drop sources that no description named.
    @Test(arguments: [(Use.always, true), (.whenOffered, false)])
    func sourceIsAnnouncedWithICE(use: Use, isNamed: Bool) throws {
        var ends = Ends(.init(source: .init(ssrc: 4_294_967_295, canonicalName: "5a")), .init(protection: .offered))
        ends.caller = Self.end(ends.caller, Self.local(Self.host, use, &ends.generator), &ends.generator)
        ends.called = Self.end(ends.called, Self.local(Self.far, .whenOffered, &ends.generator), &ends.generator)
        var offers: [String] = []
        for isHeld in [false, true] {
            let offer = ends.caller.offer(held: isHeld, using: &ends.generator)
            offers.append(String(decoding: offer.bytes, as: UTF8.self))
            _ = try ends.caller.conclude(ends.called.answer(to: offer, held: false, using: &ends.generator).description)
        }
        #expect(offers.allSatisfy { $0.contains("a=ssrc:4294967295 cname:5a\r\n") == isNamed })
    }

    @Test func relayedOnlyRejectsOthers() throws {
        let hidden = Use.relayed(.init(host: "203.0.113.5", port: 49_200))
        var asked = Self.ends(hidden, nil)
        #expect(throws: NegotiationError.iceRequired) { try asked.negotiate() }
        var asking = Self.ends(nil, hidden)
        #expect(throws: NegotiationError.iceRequired) { try asking.negotiate() }
    }

    /// Before a person is asked for an answer.
    @Test func relayedOnlyRejectsAtOnce() throws {
        var plain = Self.ends(nil, nil)
        let capabilities = MediaCapabilities(protection: .offered, requiresICE: true)
        let offer = plain.caller.offer(held: false, using: &plain.generator)
        #expect(throws: NegotiationError.iceRequired) { try capabilities.check(offer) }
        var reachable = Self.ends()
        try capabilities.check(reachable.caller.offer(held: false, using: &reachable.generator))
    }

    @Test(arguments: [
        "", "a=ice-ufrag:abcd\r\n", "a=ice-ufrag:abc\r\na=ice-pwd:0123456789012345678901\r\n",
        "a=ice-ufrag:abcd\r\na=ice-pwd:012345678901234567890\r\n",
        "a=ice-ufrag:ab=d\r\na=ice-pwd:0123456789012345678901\r\n",
        "a=ice-ufrag:abcd\r\na=ice-pwd:0123456789012345678901\r\na=ice-mismatch\r\n",
    ]) func noICEHasNoCandidates(lines: String) throws {
        #expect(try Self.answer(to: "a=rtcp-mux\r\n" + lines)?.ice == nil)
    }

    @Test func separateReportPortHasNoPath() throws {
        #expect(try Self.answer(to: Self.credentials)?.ice == nil)
    }

    // MARK: New sessions

    /// The called end has lost everything, and the caller has another address now.
    @Test(arguments: ["192.0.2.1", "192.0.2.77"]) func renewedSessionHasNothingOfFormerOne(host: String) throws {
        var ends = Self.ends()
        let first = try #require(try ends.negotiate().caller.ice)
        let before = ends.caller.offerAgain(held: false).origin.sessionID
        ends.caller.withdraw()
        let fresh = Ends(.init(protection: .offered), .init(protection: .offered))
        var far = Self.end(fresh.called, Self.local(Self.far, .always, &ends.generator), &ends.generator)
        let offer = far.offer(held: false, using: &ends.generator)
        #expect(!ends.caller.goesOn(with: offer))
        #expect(ends.caller.renew(at: host, for: offer, using: &ends.generator))
        let (answer, agreed) = try ends.caller.answer(to: offer, held: false, using: &ends.generator)
        #expect(answer.origin.host == host && answer.host == host && answer.origin.version == 1)
        #expect(answer.origin.sessionID != before)
        #expect(answer.media[0].port == 4_001)
        let candidates = answer.media[0].values(of: "candidate")
        #expect(candidates.count == 1 && candidates[0].hasSuffix(" \(host) 4001 typ host"))
        let ice = try #require(agreed.media.ice)
        #expect(!ice.local.hasCredentials(of: first.local) && ice.usesControlPort == true && !ice.isControlling)
        #expect(try far.conclude(answer).media.ice?.remote == ice.local)
    }

    @Test func relayedOnlyRenewsBehindItsServer() throws {
        var ends = Self.ends(.relayed(.init(host: "203.0.113.5", port: 49_200)))
        _ = try ends.negotiate()
        let fresh = Ends(.init(protection: .offered), .init(protection: .offered))
        var far = Self.end(fresh.called, Self.local(Self.far, .always, &ends.generator), &ends.generator)
        let offer = far.offer(held: false, using: &ends.generator)
        #expect(!ends.caller.renew(at: "192.0.2.77", for: offer, using: &ends.generator))
        let answer = try ends.caller.answer(to: offer, held: false, using: &ends.generator).description
        #expect(answer.host == "203.0.113.5" && !String(decoding: answer.bytes, as: UTF8.self).contains("192.0.2.77"))
    }

    @Test func renewedSessionKeepsProtection() throws {
        var ends = Ends(.init(protection: .offered), .init(protection: .offered))
        _ = try ends.negotiate()
        let clear = try Ends.description("m=audio 7000 RTP/AVP 111\r\n" + Ends.opus)
        _ = ends.called.renew(at: "192.0.2.2", for: clear, using: &ends.generator)
        #expect(throws: NegotiationError.protectionRequired) { try ends.answer(clear) }
    }

    /// An end that only answers checks never controls (RFC 8445 §6.1.1).
    @Test func liteEndDoesNotControl() throws {
        let lite = try #require(
            try Self.answer(to: "a=rtcp-mux\r\n" + Self.credentials, session: "a=ice-lite\r\n")?.ice)
        #expect(lite.isControlling && lite.remote.isLite)
    }

    /// A trickling end does not know its address yet. That is no hold.
    @Test func unknownAddressIsNoHold() throws {
        let agreed = try #require(try Self.answer(to: "a=rtcp-mux\r\n" + Self.credentials, host: "0.0.0.0", port: 9))
        #expect(agreed.ice != nil && agreed.direction == .sendrecv)
    }

    @Test func sessionCredentialsApplyToLines() throws {
        #expect(try Self.answer(to: "a=rtcp-mux\r\n", session: Self.credentials)?.ice != nil)
    }

    @Test func candidatesAreBounded() throws {
        let many = String(repeating: "a=candidate:\(Self.far)\r\n", count: 100)
        let long = "a=candidate:" + String(repeating: "x", count: 600) + "\r\n"
        let agreed = try Self.answer(to: "a=rtcp-mux\r\n" + Self.credentials + long + many)
        #expect(agreed?.ice?.remote.candidates == Array(repeating: Self.far, count: 64))
    }

    static let credentials = "a=ice-ufrag:abcd\r\na=ice-pwd:0123456789012345678901\r\n"

    static func answer(
        to lines: String, session: String = "", host: String = "198.51.100.7", port: Int = 4000
    ) throws -> NegotiatedMedia? {
        var ends = Self.ends()
        let head = "v=0\r\no=- 7 7 IN IP4 \(host)\r\ns=-\r\nc=IN IP4 \(host)\r\nt=0 0\r\n"
        let line = "m=audio \(port) RTP/AVP 111\r\n" + Ends.opus + lines
        return try ends.answer(try SessionDescription(parsing: Array((head + session + line).utf8)))
    }
}
