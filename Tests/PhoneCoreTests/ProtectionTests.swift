import Base
import PhoneCore
import Testing

@Suite("Protection of a call")
struct ProtectionTests {
    private static func plan(_ protection: NegotiatedMedia.Protection?) -> NegotiatedMedia {
        var plan = Sample.plan
        plan.protection = protection
        return plan
    }

    private static let keys = NegotiatedMedia.Protection.sdes(
        .init(suite: .aes128Tag80, sendKey: SecretBytes([1]), receiveKey: SecretBytes([2])))
    private static let handshake = NegotiatedMedia.Protection.dtls(
        .init(isActive: true, fingerprints: [Array(repeating: 7, count: 32)]))

    @Test(arguments: [
        (nil, CallProtection.clear, "Not encrypted"), (keys, .sdes, "Encrypted"), (handshake, .dtls, "Encrypted"),
    ])
    func protectionIsReportedDuringAndAfterCall(
        protection: NegotiatedMedia.Protection?, name: CallProtection, note: String
    ) throws {
        var policy = Sample.policy
        policy.displayLanguage = .english
        var bench = Bench(policy: policy)
        bench.offer()
        #expect(bench.machine.snapshot.calls.first?.protection == nil, "no terms were agreed")
        bench.lift()
        bench.line(.answered(Sample.first, Self.plan(protection)))
        bench.media(.ready(Sample.first))
        #expect(bench.machine.snapshot.calls.first?.protection == name)
        #expect(bench.machine.snapshot.display?.notes.contains(note) == true)
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.records.map(\.protection) == [name])
    }

    @Test func changedTermsUpdateProtection() {
        var bench = Bench()
        bench.talk()
        bench.line(.renegotiated(Sample.first, Self.plan(Self.keys), heldByFarEnd: false))
        #expect(bench.machine.snapshot.calls.first?.protection == .sdes)
    }

    @Test func missedCallHasNoProtection() {
        var bench = Bench()
        bench.offer()
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.records.map(\.protection) == [nil])
    }

    @Test func snapshotHasNewestFigures() {
        var bench = Bench()
        bench.talk()
        #expect(bench.machine.snapshot.qualities.isEmpty)
        let figures = VoiceQuality(opinionScore: 4.2, lossPercent: 1)
        bench.media(.quality(Sample.first, VoiceQuality(opinionScore: 3)))
        bench.media(.quality(Sample.first, figures))
        #expect(bench.machine.snapshot.qualities == [Sample.first: figures])
    }
}
