import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("DTLS-SRTP calls between two lines")
struct DTLSCallTests {
    private static func fingerprint(_ octet: UInt8) -> CertificateFingerprint {
        .init(digest: .init(repeating: octet, count: 32))
    }

    private static func line(_ user: String, _ policy: ProtectionPolicy, _ octet: UInt8) -> LineConfiguration {
        var line = Calls.direct(user)
        line.media.fingerprint = fingerprint(octet)
        line.media.protection = policy
        return line
    }

    private static func calls(_ caller: ProtectionPolicy, _ called: ProtectionPolicy) -> Calls {
        var calls = Calls()
        calls.world = World()
        calls.world.add(line("alice", caller, 0xA1))
        calls.world.add(line("bob", called, 0xB0))
        return calls
    }

    @Test(
        "each end knows its handshake peer, and a hold keeps it", arguments: [ProtectionPolicy.dtls, .mandatory])
    func eachEndKnowsItsHandshakePeerAndHoldKeepsIt(_ called: ProtectionPolicy) throws {
        var calls = Self.calls(.dtls, called)
        calls.connect()
        let caller = try #require(calls.world.agreed(0, calls.caller))
        let answerer = try #require(calls.world.agreed(1, calls.called))
        #expect(caller.dtls == .init(isActive: false, fingerprints: [Self.fingerprint(0xB0).digest]))
        #expect(answerer.dtls == .init(isActive: true, fingerprints: [Self.fingerprint(0xA1).digest]))
        #expect(caller.remoteControl == nil && answerer.remoteControl == nil, "reports share the port")
        for holder in [true, false] {
            calls.world.command(1, .hold(calls.called, holder))
            calls.world.run(.seconds(1))
        }
        #expect(calls.world.settled(1, calls.called).last == answerer)
        #expect(calls.world.renegotiated(0, calls.caller).last == caller)
    }

    @Test("each end may show another certificate for one call")
    func eachEndMayShowAnotherCertificateForOneCall() throws {
        var calls = Self.calls(.dtls, .dtls)
        let target = "sip:bob@\(World.endpoint(1).host)"
        let media = MediaEndpoint(port: 4_000, fingerprint: Self.fingerprint(0xA2).digest)
        calls.world.command(0, .dial(calls.caller, target: target, account: .direct, media))
        calls.runUntil(within: .seconds(40)) { $0.offeredLegs(1).contains(CallID(.line(.direct), 1)) }
        calls.world.command(
            1, .answer(calls.called, .init(port: 5_000, fingerprint: Self.fingerprint(0xB2).digest), awaitingACK: false)
        )
        calls.runUntil(within: .seconds(40)) { $0.agreed(0, CallID(.phone, 1)) != nil }
        #expect(calls.world.agreed(0, calls.caller)?.dtls?.fingerprints == [Self.fingerprint(0xB2).digest])
        #expect(calls.world.agreed(1, calls.called)?.dtls?.fingerprints == [Self.fingerprint(0xA2).digest])
    }

    @Test("SDES keys are not enough where DTLS is required")
    func sdesKeysAreNotEnoughWhereDTLSIsRequired() {
        var calls = Self.calls(.mandatory, .dtls)
        calls.invite()
        calls.world.run(.seconds(5))
        #expect(calls.world.offeredLegs(1).isEmpty)
        #expect(calls.world.ends(0, calls.caller) == [.incompatible])
    }
}
