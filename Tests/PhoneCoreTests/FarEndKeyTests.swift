import Base
import PhoneCore
import Testing

/// Keys of far ends, and the words by which two people compare them.
@Suite("Comparison of words, once per far end")
struct FarEndKeyTests {
    private static let terms: NegotiatedMedia = {
        var plan = Sample.plan
        plan.protection = .dtls(.init(isActive: true, fingerprints: [[1], [2]]))
        return plan
    }()

    private static let shown = ShownFingerprint(fingerprint: [1], words: "lusab babad gutih tugad")
    /// The same key in another handshake.
    private static let again = ShownFingerprint(fingerprint: [1], words: "hidud fobab tipan sosak")
    private static let other = ShownFingerprint(fingerprint: [2], words: "zotuz bidul kodop marun")

    /// A call from the usual caller, who shows this key.
    private func talk(
        _ bench: inout Bench, _ shown: ShownFingerprint = shown, remembering keys: [PeerFingerprint]? = nil
    ) {
        if let keys {
            var memory = PhoneMemory()
            memory.peerKeys = keys
            bench.post(.vault(.remembered(memory)))
        }
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.offer()
        bench.lift()
        bench.line(.answered(Sample.first, Self.terms))
        bench.media(.ready(Sample.first))
        bench.media(.keyShown(Sample.first, shown))
    }

    private func kept(_ bench: Bench) -> [PeerFingerprint] {
        bench.log.compactMap { if case .vault(.keepKey(let key)) = $0 { key } else { nil } }
    }

    @Test func wordsAreShownAndUncomparedKeyIsNew() {
        var bench = Bench()
        talk(&bench)
        let summary = bench.summary()
        #expect(summary?.words == Self.shown.words && summary?.key == .new && summary?.protection == .dtls)
        #expect(bench.lamp(.line) == .on)
    }

    @Test func agreedWordsAreRemembered() throws {
        var bench = Bench()
        talk(&bench)
        #expect(bench.ask(.compareWords(nil, agree: true)) == .fulfilled)
        #expect(bench.summary()?.protection == .verified && bench.summary()?.key == .compared)
        let key = try #require(kept(bench).first)
        #expect(key.fingerprint == [1])
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.records.map(\.protection) == [.verified])

        // The next process remembers it.
        var next = Bench()
        talk(&next, remembering: [key])
        #expect(next.summary()?.protection == .verified && next.summary()?.key == .compared)
    }

    @Test func changedKeyIsReported() throws {
        var bench = Bench()
        talk(&bench)
        bench.ask(.compareWords(nil, agree: true))
        let key = try #require(kept(bench).first)
        var next = Bench()
        talk(&next, Self.other, remembering: [key])
        #expect(next.summary()?.protection == .dtls && next.summary()?.key == .changed)
        #expect(next.lamp(.line) == .slowBlink)
        let isTold = next.log.contains {
            if case .control(.notice(.trouble(let text, .keyChanged))) = $0 {
                text.contains("another key")
            } else {
                false
            }
        }
        #expect(isTold)
    }

    @Test func disagreedKeyIsForgotten() throws {
        var bench = Bench()
        talk(&bench)
        bench.ask(.compareWords(nil, agree: true))
        let key = try #require(kept(bench).first)
        #expect(bench.ask(.compareWords(nil, agree: false)) == .fulfilled)
        #expect(bench.did(.vault(.forgetKey(key.peer))))
        #expect(bench.summary()?.protection == .dtls && bench.summary()?.key == .changed)
    }

    /// Terms with another certificate need another handshake, so the earlier comparison no longer counts.
    @Test func newTermsHaveNoKeyUntilItIsShown() {
        var bench = Bench()
        talk(&bench)
        bench.ask(.compareWords(nil, agree: true))
        var terms = Self.terms
        terms.protection = .dtls(.init(isActive: false, fingerprints: [[2]]))
        bench.line(.renegotiated(Sample.first, terms, heldByFarEnd: false))
        #expect(bench.summary()?.protection == .dtls && bench.summary()?.words == nil)
        bench.media(.keyShown(Sample.first, Self.other))
        #expect(bench.summary()?.key == .changed)
        bench.line(.renegotiated(Sample.first, Self.terms, heldByFarEnd: true))
        bench.media(.keyShown(Sample.first, Self.shown))
        #expect(bench.summary()?.protection == .verified)
    }

    /// The keys in use, and their comparison, stay until the new handshake is done.
    @Test func newAssociationKeepsOldKeyUntilItIsShown() {
        var bench = Bench()
        talk(&bench)
        bench.ask(.compareWords(nil, agree: true))
        var terms = Self.terms
        terms.protection = .dtls(.init(isActive: false, fingerprints: [[1], [2]], number: 1))
        bench.line(.renegotiated(Sample.first, terms, heldByFarEnd: false))
        #expect(bench.summary()?.protection == .verified && bench.summary()?.words == Self.shown.words)
        bench.media(.keyShown(Sample.first, Self.again))
        #expect(bench.summary()?.protection == .verified && bench.summary()?.words == Self.again.words)
    }

    /// After the two people noticed an attacker between them, the attacker could start another handshake.
    @Test func newHandshakeDoesNotClearDisagreement() {
        var bench = Bench()
        talk(&bench)
        bench.ask(.compareWords(nil, agree: false))
        bench.media(.keyShown(Sample.first, Self.again))
        #expect(bench.summary()?.key == .changed && bench.summary()?.words == Self.again.words)
        bench.ask(.compareWords(nil, agree: true))
        #expect(bench.summary()?.protection == .verified)
    }

    @Test func callWithoutWordsCannotBeCompared() {
        var bench = Bench()
        bench.talk()
        #expect(bench.ask(.compareWords(nil, agree: true)) == .failed(.wrongState))
        #expect(kept(bench).isEmpty)
    }

    /// A caller with a withheld number could be anyone.
    @Test func withheldNumberIsNotRemembered() {
        var bench = Bench()
        let caller = Caller(number: "", displayName: nil, isWithheld: true, account: .direct)
        bench.line(.offered(Sample.first, caller))
        bench.media(.opened(Sample.first, Sample.endpoint))
        bench.lift()
        bench.line(.answered(Sample.first, Self.terms))
        bench.media(.ready(Sample.first))
        bench.media(.keyShown(Sample.first, Self.shown))
        #expect(bench.summary()?.words != nil)
        #expect(bench.ask(.compareWords(nil, agree: true)) == .failed(.wrongState))
    }

    @Test func keyTableIsBounded() {
        var bench = Bench()
        let keys = (0..<2_000).map { PeerFingerprint(.init(account: .direct, number: "\($0)"), fingerprint: [9]) }
        talk(&bench, remembering: keys)
        bench.ask(.compareWords(nil, agree: true))
        #expect(bench.machine.census.peerKeys == 1_000)
    }

    @Test func displayShowsWordsUntilCompared() {
        var policy = Sample.policy
        policy.displayLanguage = .english
        var bench = Bench(policy: policy)
        talk(&bench)
        #expect(bench.machine.snapshot.display?.notes.contains(Self.shown.words) == true)
        bench.ask(.compareWords(nil, agree: true))
        #expect(bench.machine.snapshot.display?.notes == ["Words compared"])
    }
}
