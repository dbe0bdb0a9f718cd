import Base
import Cryptography
import Testing

/// Attacks on a handshake by a sender that is not the far end: its first flights are in clear.
@Suite("Strangers in a DTLS handshake")
struct DTLSStrangerTests {
    private let (active, passive, stranger): (DTLSEnd, DTLSEnd, DTLSEnd)

    init() throws {
        let (one, other) = (try DTLSIdentity.make(), try DTLSIdentity.make())
        active = try Self.end(one, .active, expecting: other)
        passive = try Self.end(other, .passive, expecting: one)
        stranger = try Self.end(.make(), .active, expecting: other)
    }

    private static func end(
        _ identity: DTLSIdentity, _ role: DTLSChannel.Role, expecting other: DTLSIdentity
    ) throws -> DTLSEnd {
        DTLSEnd(
            try DTLSContext(identity), role,
            .init(fingerprints: [other.certificate.fingerprint], firstWait: .milliseconds(10)))
    }

    private static func alert(_ level: UInt8, _ code: UInt8) -> [UInt8] {
        [21, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, level, code]
    }

    /// Carries an end's output.
    private func carry(_ end: DTLSEnd, to other: DTLSEnd) {
        for datagram in end.take() { other.receive(datagram) }
    }

    private func expectKeys() {
        DTLSEnd.run(active, passive)
        #expect(active.failure == nil && passive.failure == nil)
        #expect(active.keys != nil && active.keys?.local == passive.keys?.remote)
    }

    private func clientHello() throws -> [UInt8] {
        stranger.start()
        return try #require(stranger.take().first)
    }

    @Test("an unproven sender gets less than it sends, and no work is done")
    func unprovenSenderGetsLessThanItSendsAndNoWorkIsDone() throws {
        let clientHello = try clientHello()
        var answers: [[UInt8]] = []
        for _ in 0..<2_000 {
            passive.receive(clientHello)
            answers += passive.take()
        }
        #expect(2_000 * clientHello.count > 2 * DTLSChannel.handshakeLimit)
        #expect(passive.keys == nil && passive.failure == nil)
        // A certificate is longer than that.
        #expect(answers.count == 2_000 && answers.allSatisfy { $0.count < 100 && $0.count < clientHello.count })
        expectKeys()
    }

    @Test("a guessed cookie causes no work, and no other sender pays")
    func guessedCookieCausesNoWorkAndNoOtherSenderPays() throws {
        active.start()
        carry(active, to: passive)
        carry(passive, to: active)
        let clientHello = try #require(active.take().first)
        // Headers of record and message, the version, 32 random bytes, an empty session, the cookie's length.
        let cookie = 13 + 12 + 2 + 32 + 1 + 1
        var guess = clientHello
        guess[cookie + 7] ^= 1
        passive.receive(guess)
        #expect(passive.take().joined().count < 200 && passive.failure == nil)
        passive.receive(clientHello)
        expectKeys()
    }

    @Test("endless bytes cost nothing before there is a far end")
    func endlessBytesCostNothingBeforeThereIsFarEnd() {
        var dice = SeededGenerator(seed: 1)
        for _ in 0..<(2 * DTLSChannel.handshakeLimit / 1_000) {
            passive.receive([22, 0xFE, 0xFD] + (0..<997).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
        }
        #expect(passive.take().isEmpty)
        expectKeys()
    }

    @Test("any number of ClientHellos ends no running handshake, at either end", arguments: 1...3)
    func anyNumberOfClientHellosEndsNoRunningHandshakeAtEitherEnd(afterFlights flights: Int) throws {
        let clientHello = try clientHello()
        active.start()
        for flight in 1...4 {
            let (ours, theirs) = (active.take(), passive.take())
            for datagram in ours { passive.receive(datagram) }
            for datagram in theirs { active.receive(datagram) }
            guard flight == flights else { continue }
            for _ in 0..<2_000 { for end in [active, passive] { end.receive(clientHello) } }
        }
        expectKeys()
    }

    @Test(
        "a clear alert ends no running handshake",
        arguments: [(2, 40), (1, 0), (1, 90)] as [(level: UInt8, code: UInt8)], 0...4)
    func clearAlertEndsNoRunningHandshake(words: (level: UInt8, code: UInt8), afterFlights flights: Int) {
        func say() {
            for end in [active, passive] { for _ in 0..<10 { end.receive(Self.alert(words.level, words.code)) } }
        }
        if flights == 0 { say() }
        active.start()
        if flights == 0 { say() }
        for flight in 1...4 {
            let (ours, theirs) = (active.take(), passive.take())
            for datagram in ours { passive.receive(datagram) }
            for datagram in theirs { active.receive(datagram) }
            if flight == flights { say() }
        }
        expectKeys()
    }

    @Test("nor does an alert hidden behind a foreign record")
    func norDoesAlertHiddenBehindForeignRecord() {
        active.start()
        let finished: [UInt8] = [22, 254, 253, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 9, 9, 9, 9]
        active.receive(finished + Self.alert(2, 40))
        expectKeys()
    }

    @Test("an alert behind an unread ClientHello is found")
    func alertBehindUnreadClientHelloIsFound() throws {
        let clientHello = try clientHello()
        active.start()
        active.receive(clientHello + Self.alert(2, 40))
        for _ in 0..<2 { active.repeatWhatIsDue() }
        #expect(active.failure == "the far end refuses: handshake failure")
    }

    @Test("a far end that sends an alert and is silent has failed, before twelve retries")
    func farEndThatSendsAlertAndIsSilentHasFailed() {
        active.start()
        active.receive(Self.alert(2, 40))
        active.repeatWhatIsDue()
        #expect(active.failure == nil)
        active.repeatWhatIsDue()
        #expect(active.failure == "the far end refuses: handshake failure")
    }
}
