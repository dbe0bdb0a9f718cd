import PhoneCore
import Testing

/// Rights belong to the party that was vouched for at the start of the call. They end with it (spec §12).
@Suite("Rights after a change of the far end")
struct ConnectedPartyTests {
    private static let code = RelayCode(
        [.four, .seven, .one, .one], callers: [ListedCaller("200")], directions: [.incoming, .outgoing])

    private static var policy: PhonePolicy {
        var policy = Sample.policy
        policy.relays = [1: RelayPolicy(code: code, pulse: .seconds(3))]
        return policy
    }

    /// An active call with 200.
    private static func talking() -> Bench {
        var bench = Bench(policy: policy)
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.line(
            .offered(
                Sample.first,
                Caller(number: "200", displayName: "Reception", account: .direct, vouched: AssertedNumber("200"))))
        bench.media(.opened(Sample.first, Sample.endpoint))
        bench.lift()
        bench.connect(Sample.first)
        bench.forget()
        return bench
    }

    private static func opensTheDoor(_ bench: inout Bench, _ call: CallID = Sample.first) -> Bool {
        for symbol in "4711#".compactMap({ DTMFSymbol($0) }) { bench.media(.dtmfReceived(call, symbol)) }
        return bench.noticed(.relayChanged(1, on: true))
    }

    private static func troubles(_ bench: Bench) -> Int {
        bench.log.count { if case .control(.notice(.trouble)) = $0 { true } else { false } }
    }

    @Test func unchangedPartyKeepsRights() {
        let same: [LineEvent] = [
            .displayUpdated(Sample.first, name: "Front desk", number: nil),
            .displayUpdated(Sample.first, name: nil, number: "2-00", standing: .vouched(AssertedNumber("200"))),
        ]
        for event in same {
            var bench = Self.talking()
            bench.line(event)
            #expect(Self.opensTheDoor(&bench), "\(event)")
        }
    }

    @Test(
        arguments: [
            .displayUpdated(Sample.first, name: "Mallory", number: "666", standing: .vouched(AssertedNumber("666"))),
            .displayUpdated(Sample.first, name: "Mallory", number: "666"),
            .displayUpdated(Sample.first, name: nil, number: "anonymous", standing: .withheld),
            .displayUpdated(
                Sample.first, name: nil, number: "200",
                standing: .vouched(AssertedNumber("200", domain: "trunk.example"))),
            .displayUpdated(Sample.first, name: nil, number: nil, standing: .doubted),
        ] as [LineEvent]) func changedPartyLosesRights(event: LineEvent)
    {
        var bench = Self.talking()
        bench.line(event)
        #expect(Self.troubles(bench) == 1, "the loss is reported")
        #expect(!Self.opensTheDoor(&bench))
        bench.line(
            .displayUpdated(
                Sample.first, name: "Reception", number: "200", standing: .vouched(AssertedNumber("200"))))
        #expect(!Self.opensTheDoor(&bench), "rights do not come back")
        #expect(bench.summary()?.number == "200")
    }

    @Test func digitsOfFormerPartyDoNotCountForNext() {
        var bench = Self.talking()
        for symbol in "47".compactMap({ DTMFSymbol($0) }) { bench.media(.dtmfReceived(Sample.first, symbol)) }
        bench.line(.displayUpdated(Sample.first, name: nil, number: "666"))
        for symbol in "11#".compactMap({ DTMFSymbol($0) }) { bench.media(.dtmfReceived(Sample.first, symbol)) }
        #expect(!bench.noticed(.relayChanged(1, on: true)))
    }

    /// The new party does not get the rights of 200.
    @Test func changeToListedPartyGrantsNoRights() {
        var policy = Self.policy
        policy.autoAnswer.callers = [ListedCaller("200")]
        policy.autoAnswer.onlyWhenAsked = false
        var bench = Bench(policy: policy)
        bench.line(.offered(Sample.first, Caller(number: "666", account: .direct, vouched: AssertedNumber("666"))))
        bench.line(
            .displayUpdated(Sample.first, name: nil, number: "200", standing: .vouched(AssertedNumber("200"))))
        #expect(bench.phase() == .ringingIn && bench.summary()?.number == "200")
        bench.media(.opened(Sample.first, Sample.endpoint))
        bench.lift()
        bench.connect(Sample.first)
        #expect(!Self.opensTheDoor(&bench))
    }

    @Test func dialledCallLosesRightsWhenPartyChanges() {
        for number in ["200", "102"] {
            var bench = Bench(policy: Self.policy)
            bench.network(Sample.home)
            #expect(bench.ask(.dial("200", account: nil)) == nil)
            bench.media(.opened(Sample.dialled, Sample.endpoint))
            bench.line(.offerSent(Sample.dialled))
            bench.line(
                .displayUpdated(
                    Sample.dialled, name: nil, number: number, standing: .vouched(AssertedNumber(number))))
            bench.line(.answered(Sample.dialled, Sample.plan))
            bench.media(.ready(Sample.dialled))
            #expect(Self.opensTheDoor(&bench, Sample.dialled) == (number == "200"))
        }
    }

    @Test func withheldPartyIsShownAndRecordedAsWithheld() {
        var bench = Self.talking()
        bench.line(.displayUpdated(Sample.first, name: nil, number: "anonymous", standing: .withheld))
        #expect(bench.summary()?.isWithheld == true && bench.summary()?.name == nil)
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.records.map(\.number) == ["anonymous"] && bench.records.map(\.name) == [nil])
    }
}
