import Base
import Cryptography
import Testing

@Suite("DTLS-SRTP channel without a transport")
struct DTLSChannelTests {
    private let (one, other): (DTLSIdentity, DTLSIdentity)

    init() throws { (one, other) = (try DTLSIdentity.make(), try DTLSIdentity.make()) }

    private func end(
        _ identity: DTLSIdentity, _ role: DTLSChannel.Role, expecting fingerprints: [[UInt8]],
        profiles: [SRTPProfile] = DTLSContext.preferred, asksForCookie: Bool = true, firstWait: Duration = .seconds(1)
    ) throws -> DTLSEnd {
        DTLSEnd(
            try DTLSContext(identity, profiles: profiles), role,
            .init(fingerprints: fingerprints, asksForCookie: asksForCookie, firstWait: firstWait))
    }

    /// Two ends that know each other's fingerprints.
    private func ends(
        profiles: (active: [SRTPProfile], passive: [SRTPProfile]) = (DTLSContext.preferred, DTLSContext.preferred),
        asksForCookie: Bool = true, firstWait: Duration = .seconds(1)
    ) throws -> (active: DTLSEnd, passive: DTLSEnd) {
        (
            try end(
                one, .active, expecting: [other.certificate.fingerprint], profiles: profiles.active,
                firstWait: firstWait),
            try end(
                other, .passive, expecting: [one.certificate.fingerprint], profiles: profiles.passive,
                asksForCookie: asksForCookie, firstWait: firstWait)
        )
    }

    @Test("both ends have the same keys in opposite directions", arguments: SRTPProfile.allCases, [false, true])
    func bothEndsHaveSameKeysInOppositeDirections(profile: SRTPProfile, asksForCookie: Bool) throws {
        let (active, passive) = try ends(profiles: ([profile], SRTPProfile.allCases), asksForCookie: asksForCookie)
        DTLSEnd.run(active, passive)
        let (ours, theirs) = (try #require(active.keys), try #require(passive.keys))
        #expect(ours.profile == profile && theirs.profile == profile)
        #expect(ours.local == theirs.remote && ours.remote == theirs.local && ours.local != ours.remote)
        #expect(ours.local.count == profile.keyLength + profile.saltLength)
    }

    @Test("authenticated encryption is preferred by both roles")
    func authenticatedEncryptionIsPreferredByBothRoles() throws {
        let (active, passive) = try ends()
        DTLSEnd.run(active, passive)
        #expect(active.keys?.profile == .aes256GCM && passive.keys?.profile == .aes256GCM)
    }

    @Test("no datagram exceeds the path's limit")
    func noDatagramExceedsPathLimit() throws {
        let (active, passive) = try ends()
        DTLSEnd.run(active, passive)
        let longest = (active.sent + passive.sent).map(\.count).max()
        #expect(try #require(longest) <= DTLSChannel.datagramLimit)
    }

    @Test("an unannounced certificate gets no keys, and is reported", arguments: [false, true])
    func unannouncedCertificateGetsNoKeysAndIsReported(isActive: Bool) throws {
        let stranger = try DTLSIdentity.make().certificate.fingerprint
        let active = try end(
            one, .active, expecting: [isActive ? other.certificate.fingerprint : stranger],
            firstWait: .milliseconds(10))
        let passive = try end(
            other, .passive, expecting: [isActive ? stranger : one.certificate.fingerprint],
            firstWait: .milliseconds(10))
        DTLSEnd.run(active, passive)
        #expect(active.keys == nil && passive.keys == nil)
        let (refusing, refused) = isActive ? (passive, active) : (active, passive)
        #expect(refusing.failure == "the far end has another certificate")
        #expect(refused.failure?.hasPrefix("the far end refuses: ") == true, "\(refused.failure ?? "")")
    }

    @Test("one of several announced certificates is enough; none is not")
    func oneOfSeveralAnnouncedCertificatesIsEnoughNoneIsNot() throws {
        let strangers = try (0..<2).map { _ in try DTLSIdentity.make().certificate.fingerprint }
        let active = try end(one, .active, expecting: strangers + [other.certificate.fingerprint])
        let passive = try end(other, .passive, expecting: [one.certificate.fingerprint])
        DTLSEnd.run(active, passive)
        #expect(active.keys != nil && active.keys?.local == passive.keys?.remote)
        let trusting = try end(one, .active, expecting: [], firstWait: .milliseconds(10))
        let next = try end(
            other, .passive, expecting: [one.certificate.fingerprint], firstWait: .milliseconds(10))
        DTLSEnd.run(trusting, next)
        #expect(trusting.keys == nil && next.keys == nil)
    }

    @Test("without a common profile there are no keys, and nothing in clear")
    func withoutCommonProfileThereAreNoKeysAndNothingInClear() throws {
        let (active, passive) = try ends(profiles: ([.aes256GCM], [.aes128GCM]))
        DTLSEnd.run(active, passive)
        #expect(active.keys == nil && passive.keys == nil)
        #expect([active.failure, passive.failure].contains("no SRTP profile was agreed on"))
    }

    @Test("any lost datagram is repeated", arguments: 0..<12)
    func anyLostDatagramIsRepeated(lost: Int) throws {
        let (active, passive) = try ends(firstWait: .milliseconds(1))
        DTLSEnd.run(active, passive, losing: [lost])
        #expect(active.keys != nil && active.keys?.local == passive.keys?.remote)
    }

    @Test("with a third of datagrams lost the handshake only takes longer", arguments: 1...20 as ClosedRange<UInt64>)
    func withThirdOfDatagramsLostHandshakeOnlyTakesLonger(seed: UInt64) throws {
        let (active, passive) = try ends(firstWait: .milliseconds(1))
        var dice = SeededGenerator(seed: seed)
        DTLSEnd.run(active, passive, losing: Set((0..<400).filter { _ in Int.random(in: 0..<3, using: &dice) == 0 }))
        #expect(active.keys != nil && active.keys?.local == passive.keys?.remote)
    }

    @Test("duplicated and reordered datagrams are accepted")
    func duplicatedAndReorderedDatagramsAreAccepted() throws {
        let (active, passive) = try ends(firstWait: .milliseconds(1))
        DTLSEnd.run(active, passive, isDisordered: true)
        #expect(active.keys != nil && active.keys?.local == passive.keys?.remote)
    }

    @Test("an endless handshake is abandoned")
    func endlessHandshakeIsAbandoned() throws {
        let (_, passive) = try ends(asksForCookie: false)
        var dice = SeededGenerator(seed: 1)
        for _ in 0..<(DTLSChannel.handshakeLimit / 1_000 + 1) where passive.failure == nil {
            passive.receive([22, 0xFE, 0xFD] + (0..<997).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
        }
        #expect(passive.failure == "the far end sends more data than a handshake has")
        passive.receive([22])
        #expect(passive.dropped == 2)
    }

    @Test("non-DTLS bytes end nothing, before the keys and after", arguments: 1...50 as ClosedRange<UInt64>)
    func noise(seed: UInt64) throws {
        let (active, passive) = try ends(asksForCookie: false)
        var dice = SeededGenerator(seed: seed)
        func noise() -> [UInt8] {
            let count = Int.random(in: 1...300, using: &dice)
            return [UInt8.random(in: 20...63, using: &dice)]
                + (1..<count).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
        }
        for _ in 0..<20 { passive.receive(noise()) }
        DTLSEnd.run(active, passive)
        #expect(active.keys != nil && active.keys?.local == passive.keys?.remote)
        for _ in 0..<20 { for end in [active, passive] { end.receive(noise()) } }
        #expect(active.failure == nil && passive.failure == nil)
    }

    @Test("a close is reported, and nothing after it")
    func closeIsReportedAndNothingAfterIt() throws {
        let (active, passive) = try ends()
        DTLSEnd.run(active, passive)
        active.close()
        for datagram in active.take() { passive.receive(datagram) }
        #expect(passive.events.last == .closed && passive.timeLeft == nil)
    }

    @Test("a renegotiation is declined by an alert, and the keys stay")
    func renegotiationIsDeclinedByAlertAndKeysStay() throws {
        let (far, passive) = (RawEnd(one), try ends().passive)
        far.take([]).map(passive.receive)
        for _ in 0..<4 { for datagram in passive.take() { far.take(datagram).map(passive.receive) } }
        #expect(passive.keys != nil && passive.take().isEmpty)
        let asked = far.renegotiate()
        #expect(asked.first == 22)
        passive.receive(asked)
        let answers = passive.take()
        #expect(!answers.isEmpty && answers.allSatisfy { $0[0] == 21 }, "no message of a handshake")
        #expect(passive.events.count == 1 && passive.failure == nil && passive.timeLeft == nil)
    }

    @Test("a stored identity is restored unchanged; its key is printed nowhere")
    func storedIdentityIsRestoredUnchangedItsKeyIsPrintedNowhere() throws {
        let again = DTLSIdentity(certificate: Certificate(der: one.certificate.der), key: one.key)
        let active = try end(again, .active, expecting: [other.certificate.fingerprint])
        let passive = try end(other, .passive, expecting: [one.certificate.fingerprint])
        DTLSEnd.run(active, passive)
        #expect(active.keys != nil)
        #expect("\(one.key)" == "‹redacted›")
        #expect(try DTLSContext(one).fingerprint == one.certificate.fingerprint)
    }

    @Test("a key that does not fit the certificate is no identity")
    func keyThatDoesNotFitCertificateIsNoIdentity() {
        #expect(throws: OpenSSLError.self) {
            try DTLSContext(DTLSIdentity(certificate: one.certificate, key: other.key))
        }
        #expect(throws: OpenSSLError.self) {
            try DTLSContext(DTLSIdentity(certificate: Certificate(der: [1, 2]), key: SecretBytes([3])))
        }
    }
}
