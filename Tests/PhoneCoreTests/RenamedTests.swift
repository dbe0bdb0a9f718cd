import PhoneCore
import Testing

/// A line reports a new party in the middle of a call.
@Suite("Far ends that change their name")
struct RenamedTests {
    private static func rename(_ bench: inout Bench, _ name: String?, _ number: String?) {
        bench.line(.displayUpdated(Sample.first, name: name, number: number))
    }

    private static func told(_ bench: Bench) -> [CallSummary] {
        bench.log.compactMap { if case .control(.notice(.callChanged(let summary))) = $0 { summary } else { nil } }
    }

    @Test func nameAndNumberAreShownAndRecorded() {
        var bench = Bench()
        bench.talk()
        bench.forget()
        Self.rename(&bench, "Grace", "5550144")
        #expect(Self.told(bench).map(\.name) == ["Grace"] && Self.told(bench).map(\.number) == ["5550144"])
        Self.rename(&bench, "Grace", "5550144")
        #expect(Self.told(bench).count == 1, "nothing has changed")
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.records.map(\.name) == ["Grace"] && bench.records.map(\.number) == ["5550144"])
    }

    @Test func missingFieldsStayUnchanged() {
        var bench = Bench()
        bench.talk()
        Self.rename(&bench, "Countess", nil)
        #expect(bench.summary()?.name == "Countess" && bench.summary()?.number == Sample.caller.number)
        Self.rename(&bench, nil, "1 555 0100")
        #expect(bench.summary()?.name == "Countess", "it is the same number, written otherwise")
        Self.rename(&bench, nil, "5550144")
        #expect(bench.summary()?.name == nil, "the name was another party's")
    }

    @Test func contactNameWins() {
        var bench = Bench()
        bench.post(.vault(.contacts([Sample.contact, Contact(name: "Grace Hopper", number: "5550144")])))
        bench.talk()
        Self.rename(&bench, "A.", nil)
        #expect(bench.summary()?.name == "Ada Lovelace")
        Self.rename(&bench, "G.", "5550144")
        #expect(bench.summary()?.name == "Grace Hopper")
        Self.rename(&bench, "E.", "5550155")
        #expect(bench.summary()?.name == "E.")
    }

    /// Facts that a backend and the network reported about one party do not apply to another.
    @Test func infoOfFormerPartyIsDropped() {
        var bench = Bench()
        var caller = Sample.caller
        caller.verification = .passed
        bench.line(.offered(Sample.first, caller))
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(sent: bench.now))))
        Self.rename(&bench, "A.", Sample.caller.number)
        #expect(bench.summary()?.name == "Ada Lovelace" && bench.summary()?.verification == .passed)
        Self.rename(&bench, "G.", "5550144")
        #expect(bench.summary()?.name == "G." && bench.summary()?.verification == nil)
        #expect(bench.summary()?.avatar == nil)
    }

    @Test func revealedNumberIsShown() {
        var bench = Bench()
        bench.line(.offered(Sample.first, Caller(number: "anonymous", isWithheld: true, account: .direct)))
        Self.rename(&bench, nil, "anonymous")
        #expect(bench.summary()?.isWithheld == true)
        Self.rename(&bench, "Grace", "5550144")
        #expect(bench.summary()?.isWithheld == false && bench.summary()?.number == "5550144")
    }

    /// The words that two people compared do not apply to a third.
    @Test func comparedWordsBelongToOneParty() {
        var plan = Sample.plan
        plan.protection = .dtls(.init(isActive: true, fingerprints: [[1]]))
        var bench = Bench()
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.offer()
        bench.lift()
        bench.line(.answered(Sample.first, plan))
        bench.media(.ready(Sample.first))
        bench.media(.keyShown(Sample.first, ShownFingerprint(fingerprint: [1], words: "lusab babad gutih tugad")))
        #expect(bench.ask(.compareWords(nil, agree: true)) == .fulfilled)
        Self.rename(&bench, "Ada L.", nil)
        #expect(bench.summary()?.key == .compared)
        Self.rename(&bench, "Grace", "5550144")
        #expect(bench.summary()?.key == .new && bench.summary()?.protection == .dtls)
        Self.rename(&bench, "Ada", Sample.caller.number)
        #expect(bench.summary()?.key == .compared)
    }

    /// The person chose the number to dial, and no report changes it before it is dialled.
    @Test func undialledNumberCannotBeChanged() {
        var bench = Bench()
        bench.network(Sample.home)
        bench.post(.line(.registration(.direct, .failed("timeout"))))
        #expect(bench.ask(.dial("5550166", account: nil)) == nil)
        bench.line(.displayUpdated(Sample.dialled, name: "Eve", number: "5550199"))
        #expect(bench.summary(Sample.dialled)?.number == "5550166" && bench.summary(Sample.dialled)?.name == nil)
    }
}
