import Base
import PhoneCore
import Testing

/// §6 of the specification: two sources of one call.
@Suite("Two sources of an incoming call")
struct CallerInfoTests {
    private static let announced = CallID(.info, 1)

    static func info(
        _ ids: [String] = [], number: String = "15550100", name: String? = "Ada Lovelace",
        organisation: String? = nil, sent: Instant = .zero
    ) -> CallerInfo {
        CallerInfo(
            ids: ids, number: number, name: name, avatar: "https://example.org/ada.png",
            organisation: organisation.map { Organisation(id: OrganisationID($0), name: "Org \($0)") }, sent: sent)
    }

    private static func offer(_ ids: [String] = [], number: String = "+15550100") -> Caller {
        Caller(number: number, displayName: "Ada", account: .direct, ids: ids)
    }

    private static func isAnnouncement(_ effect: PhoneEffect) -> Bool {
        if case .panel(.bell(.some)) = effect { true } else { false }
    }

    /// A backend may write as much as it likes.
    @Test(arguments: [(1_024, true), (1_025, false)]) func longAvatarAddressIsDropped(bytes: Int, isShown: Bool) {
        var bench = Bench()
        var info = Self.info()
        info.avatar = "https://example.org/" + String(repeating: "a", count: bytes - 20)
        bench.post(.callerInfo(.incoming(info)))
        #expect((bench.summary(Self.announced)?.avatar != nil) == isShown)
    }

    // MARK: A to D

    @Test func infoFirstAnnouncesAndMergesOffer() {
        var bench = Bench()
        let effects = bench.post(.callerInfo(.incoming(Self.info())))
        #expect(effects.contains(where: Self.isAnnouncement))
        #expect(bench.summary(Self.announced)?.name == "Ada Lovelace")
        #expect(bench.summary(Self.announced)?.avatar == "https://example.org/ada.png")
        bench.media(.opened(Self.announced, Sample.endpoint))
        bench.run(.milliseconds(4_999))
        bench.forget()
        bench.line(.offered(Sample.first, Self.offer()))
        #expect(bench.did(.alert(Sample.first)))
        #expect(!bench.log.contains(where: Self.isAnnouncement), "announced once")
        #expect(bench.machine.snapshot.calls.count == 1)
        #expect(bench.summary(Self.announced)?.name == "Ada Lovelace")
        bench.run(.seconds(2))
        #expect(bench.phase(Self.announced) == .ringingIn, "the offer came in time")
        bench.lift()
        #expect(
            bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: false)), "the line knows it by its own name")
        bench.line(.answered(Sample.first, Sample.plan))
        bench.media(.ready(Self.announced))
        #expect(bench.phase(Self.announced) == .active)
        bench.replace()
        #expect(bench.did(.end(Sample.first)))
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.records.map(\.name) == ["Ada Lovelace"])
    }

    @Test func offerFirstRingsAndInfoUpdatesIt() {
        var bench = Bench()
        let effects = bench.post(.line(.offered(Sample.first, Caller(number: "+15550100", account: .direct))))
        #expect(effects.contains(where: Self.isAnnouncement), "nothing is waited for")
        #expect(bench.summary()?.name == nil)
        bench.run(.milliseconds(400))
        bench.forget()
        bench.post(.callerInfo(.incoming(Self.info(sent: bench.now))))
        #expect(bench.summary()?.name == "Ada Lovelace")
        #expect(!bench.log.contains(where: Self.isAnnouncement))
        #expect(bench.machine.snapshot.calls.count == 1)
    }

    @Test func laterInfoUpdatesDisplayAndHistory() {
        var bench = Bench()
        bench.talk()
        bench.run(.seconds(20))
        bench.post(.callerInfo(.incoming(Self.info(sent: bench.now))))
        #expect(bench.summary()?.name == "Ada Lovelace")
        #expect(bench.machine.snapshot.calls.count == 1)
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.records.map(\.name) == ["Ada Lovelace"])
    }

    @Test func infoWithoutOfferIsMissedAfterFiveSeconds() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(Self.info())))
        bench.run(.milliseconds(4_999))
        #expect(bench.machine.snapshot.ringing)
        bench.run(.milliseconds(1))
        #expect(!bench.machine.snapshot.ringing)
        #expect(bench.ends == [.noOffer])
        #expect(bench.records.map(\.missed) == [.noOffer])
        #expect(bench.machine.snapshot.missed.map(\.reason) == [.noOffer])
        #expect(!bench.log.contains { if case .line = $0 { true } else { false } }, "no line knows it")
    }

    @Test func answerBeforeOfferConnects() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(Self.info())))
        bench.media(.opened(Self.announced, Sample.endpoint))
        bench.run(.seconds(2))
        #expect(bench.ask(.answer(Self.announced)) == nil)
        #expect(bench.phase(Self.announced) == .connecting)
        bench.run(.seconds(2))
        bench.line(.offered(Sample.first, Self.offer()))
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
        bench.line(.answered(Sample.first, Sample.plan))
        bench.media(.ready(Self.announced))
        #expect(bench.outcome(of: 1) == .fulfilled)
    }

    @Test func answerWithoutOfferFails() {
        var bench = Bench()
        bench.post(.panel(.hookFound(.onHook)))
        bench.post(.callerInfo(.incoming(Self.info())))
        bench.run(.seconds(1))
        bench.lift()
        bench.run(.milliseconds(3_999))
        #expect(bench.phase(Self.announced) == .connecting)
        bench.run(.milliseconds(1))
        #expect(bench.ends == [.noOffer])
        #expect(bench.panelOutcomes == [.failed(.callEnded(.noOffer))])
        #expect(bench.machine.snapshot.tone == .congestion)
    }

    @Test func offerAfterMissedInfoIsNewCall() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(Self.info())))
        bench.run(.seconds(6))
        bench.offer()
        #expect(bench.phase() == .ringingIn, "the caller still waits")
    }

    // MARK: Ended elsewhere

    @Test(arguments: [true, false])
    func infoEndStopsRinging(_ isOffered: Bool) {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(Self.info(["a"]))))
        if isOffered { bench.line(.offered(Sample.first, Self.offer())) }
        bench.post(.callerInfo(.ended(Self.info(["a"]))))
        #expect(!bench.machine.snapshot.ringing)
        if isOffered { bench.line(.ended(Sample.first, .cancelledThere)) }
        #expect(bench.ends == [.answeredElsewhere])
        #expect(bench.records.map(\.missed) == [nil])
        #expect(bench.lamp(.message) == .off)
        #expect(bench.log.contains { if case .control(.notice(.answeredElsewhere)) = $0 { true } else { false } })
    }

    @Test func infoEndBeforeInfoSuppressesCall() {
        var bench = Bench()
        bench.post(.callerInfo(.ended(Self.info(["a"]))))
        bench.post(.callerInfo(.incoming(Self.info(["a"]))))
        #expect(bench.ends == [.answeredElsewhere])
        bench.line(.offered(Sample.first, Self.offer(["a"])))
        #expect(bench.did(.refuse(Sample.first, .unavailable)))
        #expect(bench.ends == [.answeredElsewhere], "recorded once")
        #expect(!bench.log.contains(where: Self.isAnnouncement))
        #expect(bench.machine.snapshot.missedCount == 0)
    }

    @Test func infoEndBeforeOfferSuppressesCall() {
        var bench = Bench()
        bench.post(.callerInfo(.ended(Self.info())))
        bench.line(.offered(Sample.first, Self.offer()))
        #expect(bench.ends == [.answeredElsewhere])
        #expect(bench.records.map(\.missed) == [nil])
        #expect(!bench.log.contains(where: Self.isAnnouncement))
    }

    @Test func infoEndKeepsConversation() {
        var bench = Bench()
        bench.talk()
        bench.post(.callerInfo(.incoming(Self.info(["a"]))))
        bench.post(.callerInfo(.ended(Self.info(["a"]))))
        #expect(bench.phase() == .active)
        // Nor does it affect the next call from the same caller.
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpHere))
        bench.offer(Sample.second)
        #expect(bench.phase(Sample.second) == .ringingIn)
    }

    // MARK: Repeated reports

    @Test func repeatedInfoAnnouncesOnce() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(Self.info(["a"]))))
        bench.forget()
        bench.post(.callerInfo(.incoming(Self.info(["a"], name: "Countess Lovelace"))))
        #expect(bench.machine.snapshot.calls.count == 1)
        #expect(!bench.log.contains(where: Self.isAnnouncement))
        #expect(bench.summary(Self.announced)?.name == "Countess Lovelace", "an update is an update")
        bench.line(.offered(Sample.first, Self.offer(["a"])))
        bench.line(.offered(Sample.first, Self.offer(["a"])))
        #expect(bench.machine.snapshot.calls.count == 1)
    }

    @Test func infoForEndedCallAnnouncesNothing() {
        var bench = Bench()
        bench.offer()
        bench.line(.ended(Sample.first, .cancelledThere))
        bench.forget()
        bench.post(.callerInfo(.incoming(Self.info())))
        #expect(bench.machine.snapshot.calls.isEmpty)
        #expect(bench.log.isEmpty)
    }

    @Test func offerForEndedCallIsRefused() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(Self.info())))
        bench.ask(.hangUp(Self.announced))
        #expect(bench.ends == [.declined])
        bench.line(.offered(Sample.first, Self.offer()))
        #expect(bench.did(.refuse(Sample.first, .declined)))
        #expect(bench.ends == [.declined], "one call, one record")
        // Only once: the next call from this caller is a new one.
        bench.offer(Sample.second)
        #expect(bench.phase(Sample.second) == .ringingIn)
    }

    @Test func repeatedOfferIsAnnouncedAgain() {
        var bench = Bench()
        bench.line(.offered(Sample.first, Self.offer(["a"])))
        bench.line(.ended(Sample.first, .unreachable))
        bench.post(.callerInfo(.incoming(Self.info(["a"]))))
        bench.line(.offered(Sample.second, Self.offer(["a"])))
        #expect(bench.machine.snapshot.calls.map(\.call) == [Sample.second])
    }

    @Test func infoDuringBYEDoesNotRing() {
        for ids in [[], ["a"]] {
            var bench = Bench()
            bench.line(.offered(Sample.first, Self.offer(ids)))
            bench.ask(.hangUp(nil))
            bench.forget()
            bench.post(.callerInfo(.incoming(Self.info(ids))))
            bench.post(.callerInfo(.incoming(Self.info(ids))))
            #expect(!bench.log.contains(where: Self.isAnnouncement) || ids.isEmpty)
            #expect(bench.machine.snapshot.calls.count <= 2)
        }
    }

    @Test func lateInfoEndDoesNotRejectNextCall() {
        for isOver in [true, false] {
            for ids in [[], ["a"]] {
                var bench = Bench()
                bench.post(.callerInfo(.incoming(Self.info(ids))))
                bench.line(.offered(Sample.first, Self.offer(ids)))
                bench.ask(.hangUp(nil))
                if isOver { bench.line(.ended(Sample.first, .declined)) }
                bench.post(.callerInfo(.ended(Self.info(ids))))
                bench.line(.offered(Sample.second, Self.offer(ids.map { $0 + "2" })))
                #expect(bench.phase(Sample.second) == .ringingIn)
            }
        }
    }

    @Test func repeatedCallRingsAfterCrash() {
        var bench = Bench()
        let orphan = PersistedCall(
            call: "in-0.9", direction: .incoming, number: "+15550100", name: nil, account: .direct, started: .zero,
            answered: .zero)
        bench.post(.vault(.orphanFound(orphan)))
        bench.offer()
        #expect(bench.phase() == .ringingIn)
    }

    @Test func endedCallsAreForgottenAfterTenSeconds() {
        for (seconds, calls) in [(9_999, 0), (10_001, 1)] {
            var bench = Bench()
            bench.offer()
            bench.line(.ended(Sample.first, .cancelledThere))
            bench.run(.milliseconds(seconds))
            bench.post(.callerInfo(.incoming(Self.info(sent: bench.now))))
            #expect(bench.machine.snapshot.calls.count == calls, "after \(seconds) ms")
        }
    }

    // MARK: Merged sources

    @Test(arguments: [
        ("+1 (212) 555-0100", "12125550100", true), ("+49 212 5550100", "2125550100", true),
        ("5550100", "12125550100", false), ("5550100", "555-0100", true), ("alice", "ALICE", true),
        ("alice", "bob", false), ("alice1", "1", false), ("", "", false),
    ])
    func numbersMatchByLastTenDigits(_ offered: String, _ told: String, _ isSame: Bool) {
        var bench = Bench()
        bench.line(.offered(Sample.first, Self.offer(number: offered)))
        bench.post(.callerInfo(.incoming(Self.info(number: told))))
        #expect(bench.machine.snapshot.calls.count == (isSame ? 1 : 2))
    }

    @Test func callersWithSameNumberAreDistinguishedByID() {
        var policy = Sample.policy
        policy.maximumCalls = 4
        var bench = Bench(policy: policy)
        bench.post(.callerInfo(.incoming(Self.info(["a"], name: "First"))))
        bench.post(.callerInfo(.incoming(Self.info(["b"], name: "Second"))))
        #expect(bench.machine.snapshot.calls.count == 2)
        bench.line(.offered(Sample.first, Self.offer(["b"])))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.machine.snapshot.calls.map(\.name) == ["First"])
    }

    @Test func infoWithoutIDMatchesFirstOffer() {
        var policy = Sample.policy
        policy.maximumCalls = 4
        var bench = Bench(policy: policy)
        bench.post(.callerInfo(.incoming(Self.info(["a"], name: "First"))))
        bench.post(.callerInfo(.incoming(Self.info(["b"], name: "Second"))))
        bench.line(.offered(Sample.first, Self.offer()))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.machine.snapshot.calls.map(\.name) == ["Second"])
    }

    @Test(arguments: [true, false]) func differingIDsAreReportedButNotFatal(isInfoFirst: Bool) {
        var bench = Bench()
        if isInfoFirst { bench.post(.callerInfo(.incoming(Self.info(["a"])))) }
        bench.line(.offered(Sample.first, Self.offer(["z"])))
        if !isInfoFirst { bench.post(.callerInfo(.incoming(Self.info(["a"])))) }
        #expect(bench.machine.snapshot.calls.count == 1)
        let name = isInfoFirst ? "Ada Lovelace" : "Ada"
        #expect(
            bench.noticed(
                .trouble("the two sources of a call of \(name) have different ids for it", .callerInfoDiffers)))
    }

    // MARK: Dropped input

    @Test func oldOrInvalidInfoIsDropped() {
        var bench = Bench()
        bench.run(.seconds(60))
        bench.post(.callerInfo(.incoming(Self.info(sent: bench.now - .milliseconds(30_001)))))
        bench.post(.callerInfo(.ended(Self.info(sent: bench.now - .milliseconds(30_001)))))
        bench.post(.callerInfo(.invalid("caller_number is no text")))
        #expect(bench.machine.snapshot.calls.isEmpty && bench.records.isEmpty)
        #expect(bench.noticed(.trouble("caller info was dropped: it is too old", .callerInfoDropped)))
        #expect(bench.noticed(.trouble("caller info was dropped: caller_number is no text", .callerInfoDropped)))
        bench.post(.callerInfo(.incoming(Self.info(sent: bench.now - .seconds(30)))))
        #expect(bench.machine.snapshot.calls.count == 1)
    }

    // MARK: Display

    @Test func nameSourcesHaveFixedPrecedence() {
        var bench = Bench()
        bench.line(.offered(Sample.first, Caller(number: "+15550100", account: .direct)))
        #expect(bench.summary()?.name == nil, "then the number is shown")
        bench.line(.ended(Sample.first, .cancelledThere))
        bench.line(.offered(Sample.second, Self.offer()))
        #expect(bench.summary(Sample.second)?.name == "Ada")
        bench.post(.callerInfo(.incoming(Self.info(["new"]))))
        #expect(bench.summary(Sample.second)?.name == "Ada Lovelace")
        bench.post(.vault(.contacts([Contact(name: "Mother", number: "1 555 0100")])))
        #expect(bench.summary(Sample.second)?.name == "Mother")
        bench.post(.vault(.contacts([])))
        #expect(bench.summary(Sample.second)?.name == "Ada Lovelace")
    }

    @Test func foreignOrganisationIsShownAsBadge() {
        var memory = PhoneMemory()
        memory.context = Sample.context("a")
        for (organisation, badge) in [("a", nil), ("b", "Org b")] {
            var bench = Bench()
            bench.post(.vault(.remembered(memory)))
            bench.post(.callerInfo(.incoming(Self.info(organisation: organisation))))
            #expect(bench.summary(Self.announced)?.badge == badge)
        }
    }

    @Test func numberVerificationIsShown() {
        var bench = Bench()
        bench.line(.offered(Sample.first, Caller(number: "1", account: .direct, verification: .failed)))
        #expect(bench.summary()?.verification == .failed)
    }

    @Test func signalledCallerIsShown() {
        var bench = Bench()
        bench.line(
            .offered(
                Sample.first,
                Caller(
                    number: "anonymous", isWithheld: true, divertedBy: "5550122", called: "5550133", account: .direct,
                    headers: [CallHeader("X-Ticket", "7")].compactMap(\.self))))
        #expect(bench.summary()?.isWithheld == true)
        #expect(bench.summary()?.divertedBy == "5550122")
        #expect(bench.summary()?.called == "5550133")
        #expect(bench.summary()?.headers?.first?.value == "7")
        #expect(bench.summary()?.verification == nil)
    }
}
