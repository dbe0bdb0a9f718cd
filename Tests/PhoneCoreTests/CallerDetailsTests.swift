import Base
import PhoneCore
import Testing

/// §6: which of the two sources' facts about a caller are kept and shown.
@Suite("Facts about a caller from two sources")
struct CallerDetailsTests {
    private static let announced = CallID(.info, 1)

    private static func info(
        _ number: String = "+12125550100", ids: [String] = [], organisation: Organisation? = nil
    ) -> CallerInfo {
        CallerInfo(ids: ids, number: number, channel: "+12125550199", organisation: organisation, sent: .zero)
    }

    private static func ready(_ context: OrganisationContext? = nil, _ policy: PhonePolicy = Sample.policy) -> Bench {
        var bench = Bench(policy: policy)
        var memory = PhoneMemory()
        memory.context = context
        bench.post(.vault(.remembered(memory)))
        return bench
    }

    @Test(arguments: [true, false]) func backendsFullNumberIsKept(isInfoFirst: Bool) {
        var bench = Bench()
        if isInfoFirst { bench.post(.callerInfo(.incoming(Self.info()))) }
        bench.line(.offered(Sample.first, Caller(number: "2125550100", account: .direct)))
        if !isInfoFirst { bench.post(.callerInfo(.incoming(Self.info()))) }
        #expect(bench.machine.snapshot.calls.map(\.number) == ["+12125550100"])
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.records.map(\.number) == ["+12125550100"])
    }

    @Test func numberOfTheSamePartyInAnUpdateDoesNotReplaceTheFullOne() {
        var bench = Bench()
        bench.line(.offered(Sample.first, Caller(number: "2125550100", account: .direct)))
        bench.post(.callerInfo(.incoming(Self.info())))
        bench.line(.displayUpdated(Sample.first, name: nil, number: "2125550100"))
        #expect(bench.summary()?.number == "+12125550100")
        bench.line(.displayUpdated(Sample.first, name: nil, number: "5550111"))
        #expect(bench.summary()?.number == "5550111", "another party")
    }

    @Test(arguments: [true, false]) func contactIsFoundByTheNumberThatCameLast(isInfoFirst: Bool) {
        var bench = Bench()
        bench.post(.vault(.contacts([Contact(name: "Mother", number: "+12125550100")])))
        let (first, last) = isInfoFirst ? ("", "2125550100") : ("2125550100", "")
        if isInfoFirst { bench.post(.callerInfo(.incoming(Self.info(first, ids: ["a"])))) }
        let offered = isInfoFirst ? last : ""
        bench.line(.offered(Sample.first, Caller(number: offered, account: .direct, ids: ["a"])))
        if !isInfoFirst { bench.post(.callerInfo(.incoming(Self.info(ids: ["a"])))) }
        #expect(bench.machine.snapshot.calls.map(\.name) == ["Mother"])
    }

    @Test(arguments: [true, false]) func calledNumberIsShownAndKept(isInfoFirst: Bool) {
        var policy = Sample.policy
        policy.displayLanguage = .english
        var bench = Bench(policy: policy)
        if isInfoFirst { bench.post(.callerInfo(.incoming(Self.info()))) }
        bench.line(.offered(Sample.first, Caller(number: "2125550100", called: "199", account: .direct)))
        if !isInfoFirst { bench.post(.callerInfo(.incoming(Self.info()))) }
        #expect(bench.machine.snapshot.calls.map(\.called) == ["+12125550199"])
        #expect(bench.machine.snapshot.display?.notes.contains("To +12125550199") == true)
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.records.map(\.called) == ["+12125550199"])
    }

    @Test func calledNumberOfTheSignallingIsKeptWithoutABackend() {
        var bench = Bench()
        bench.line(.offered(Sample.first, Caller(number: "2125550100", called: "199", account: .direct)))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.records.map(\.called) == ["199"])
    }

    @Test(arguments: [("a", false), ("b", true)])
    func displayNamesOnlyAnotherOrganisation(_ organisation: String, _ isShown: Bool) {
        var policy = Sample.policy
        policy.displayLanguage = .english
        var bench = Self.ready(Sample.context("a"), policy)
        bench.post(.callerInfo(.incoming(Self.info(organisation: Sample.context(organisation).organisation))))
        #expect(bench.machine.snapshot.display?.notes.contains("Org \(organisation)") == isShown)
    }

    // MARK: The account

    private static let (office, branch) = (AccountID(3), AccountID(4))

    private static func twoAccounts() -> PhonePolicy {
        var policy = Sample.policy
        policy.defaultAccount = office
        policy.organisations = [office: OrganisationID("a"), branch: OrganisationID("b")]
        return policy
    }

    private static func opened(_ bench: Bench) -> [AccountID] {
        bench.log.compactMap { if case .media(.open(announced, let account)) = $0 { account } else { nil } }
    }

    /// The backend knows organisations, not the phone's accounts.
    @Test(arguments: [("a", office), ("b", branch), ("c", office)])
    func organisationSelectsTheAccount(_ organisation: String, _ account: AccountID) {
        var bench = Self.ready(nil, Self.twoAccounts())
        bench.post(.callerInfo(.incoming(Self.info(organisation: Sample.context(organisation).organisation))))
        #expect(bench.summary(Self.announced)?.account == account)
        #expect(Self.opened(bench) == [account])
        bench.run(.seconds(5))
        #expect(bench.records.map(\.account) == [account])
    }

    @Test func accountThatChangesItsOrganisationCarriesTheOffer() {
        var policy = Sample.policy
        policy.defaultAccount = Self.office
        var context = Sample.context("a")
        context.account = Self.branch
        for organisation in ["a", "b"] {
            var bench = Self.ready(context, policy)
            bench.post(.callerInfo(.incoming(Self.info(organisation: Sample.context(organisation).organisation))))
            #expect(Self.opened(bench) == [Self.branch])
        }
    }

    /// A phone that is registered for both organisations needs no change.
    @Test func accountOfItsOrganisationAnswersWithoutAChange() {
        var context = Sample.context("a")
        context.account = Self.office
        var bench = Self.ready(context, Self.twoAccounts())
        bench.post(.callerInfo(.incoming(Self.info(organisation: Sample.context("b").organisation))))
        bench.media(.opened(Self.announced, Sample.endpoint))
        bench.line(.offered(Sample.first, Caller(number: "2125550100", account: Self.branch)))
        bench.ask(.answer(Self.announced))
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
        #expect(bench.machine.snapshot.switchingTo == nil)
    }

    @Test func mediaFollowTheOfferToAnotherAccount() {
        var bench = Self.ready(nil, Self.twoAccounts())
        bench.post(.callerInfo(.incoming(Self.info(organisation: Sample.context("a").organisation))))
        bench.media(.opened(Self.announced, Sample.endpoint))
        bench.forget()
        bench.line(.offered(Sample.first, Caller(number: "2125550100", account: Self.branch)))
        #expect(bench.did(.release(Self.announced)))
        #expect(Self.opened(bench) == [Self.branch])
        bench.ask(.answer(Self.announced))
        let other = MediaEndpoint(port: 40_002)
        #expect(!bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)), "those sockets are closed")
        bench.media(.opened(Self.announced, other))
        #expect(bench.did(.answer(Sample.first, other, awaitingACK: true)))
    }
}
