import Base
import PhoneCore
import Testing

/// §7: a call that only caller info announced is offered to the organisation that it belongs to, which may be another
/// one. Its line offers it after the change.
@Suite("Changing the organisation before the offer")
struct OrganisationFirstTests {
    private static let after = Sample.context("b")
    private static let announced = CallID(.info, 1)

    private static func ready() -> Bench {
        var bench = Bench()
        var memory = PhoneMemory()
        memory.context = Sample.context("a")
        bench.post(.vault(.remembered(memory)))
        bench.line(.registration(.direct, .registered))
        return bench
    }

    private static func announcedAndAnswered() -> Bench {
        var bench = ready()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(organisation: "b"))))
        bench.media(.opened(announced, Sample.endpoint))
        bench.run(.seconds(2))
        bench.ask(.answer(announced))
        return bench
    }

    private static func keep(_ bench: inout Bench, ticket: UInt32 = 1) {
        bench.post(.backend(.switched(after)))
        bench.post(.vault(.contextKept(ticket: ticket, true)))
        bench.line(.registration(.direct, .registering))
    }

    @Test func switchesWithoutAnOffer() {
        var bench = Self.announcedAndAnswered()
        #expect(bench.did(.backend(.switchOrganisation(OrganisationID("b")))))
        bench.run(.milliseconds(3_900))
        Self.keep(&bench)
        bench.run(.milliseconds(500))
        bench.line(.registration(.direct, .registered))
        #expect(bench.noticed(.organisationSwitched(Self.after.organisation)))
        bench.run(.milliseconds(4_999))
        #expect(bench.phase(Self.announced) == .connecting, "the offer has its whole time from the change on")
        bench.line(.offered(Sample.first, Sample.caller))
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
        bench.run(.milliseconds(500))
        bench.line(.answered(Sample.first, Sample.plan))
        bench.media(.ready(Self.announced))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.phase(Self.announced) == .active)
    }

    @Test func switchesBeforeTheSocketsAreOpen() {
        var bench = Self.ready()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(organisation: "b"))))
        bench.ask(.answer(Self.announced))
        #expect(bench.did(.backend(.switchOrganisation(OrganisationID("b")))))
    }

    @Test func withoutAnOfferItFailsFiveSecondsAfterTheChange() {
        var bench = Self.announcedAndAnswered()
        Self.keep(&bench)
        bench.run(.seconds(1))
        bench.line(.registration(.direct, .registered))
        bench.run(.milliseconds(4_999))
        #expect(bench.phase(Self.announced) == .connecting)
        bench.run(.milliseconds(1))
        #expect(bench.ends == [.noOffer])
        #expect(bench.outcome(of: 1) == .failed(.callEnded(.noOffer)))
        #expect(bench.records.map(\.missed) == [.noOffer])
    }

    @Test func failedChangeEndsTheCall() {
        var bench = Self.announcedAndAnswered()
        bench.post(.backend(.switchFailed(.api(403))))
        #expect(bench.ends == [.organisation(.api(403))])
    }

    /// The offer comes while the phone changes: the call is answered when it has changed.
    @Test func offerDuringTheChangeIsAnsweredBehindIt() {
        var bench = Self.announcedAndAnswered()
        bench.line(.offered(Sample.first, Sample.caller))
        #expect(!bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
        Self.keep(&bench)
        bench.line(.registration(.direct, .registered))
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
    }

    // MARK: An offer that ends because its session was left

    /// Offered first, described then, answered; the line registers for the other organisation.
    private static func registering() -> Bench {
        var bench = ready()
        bench.offer()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(organisation: "b"))))
        bench.ask(.answer(Sample.first))
        keep(&bench)
        return bench
    }

    @Test(arguments: [.unreachable, .lineNotReady, .rejected(481), .timedOut] as [EndReason])
    func lossOfTheOfferInTheChangeIsNotTheEnd(_ reason: EndReason) {
        var bench = Self.registering()
        bench.line(.ended(Sample.first, reason))
        #expect(bench.ends.isEmpty)
        #expect(bench.phase() == .connecting)
        bench.run(.seconds(2))
        bench.line(.registration(.direct, .registered))
        bench.run(.milliseconds(4_900))
        bench.line(.offered(Sample.second, Sample.caller))
        #expect(bench.did(.answer(Sample.second, Sample.endpoint, awaitingACK: true)))
        bench.line(.answered(Sample.second, Sample.plan))
        bench.media(.ready(Sample.first))
        #expect(bench.phase() == .active, "one call for the person")
        #expect(bench.outcome(of: 1) == .fulfilled)
        bench.line(.ended(Sample.second, .hungUpThere))
        #expect(bench.records.map(\.reason) == [.hungUpThere])
    }

    @Test(arguments: [.cancelledThere, .answeredElsewhere] as [EndReason])
    func callerWhoGivesUpEndsIt(_ reason: EndReason) {
        var bench = Self.registering()
        bench.line(.ended(Sample.first, reason))
        #expect(bench.ends == [reason])
        #expect(bench.noticed(.organisationSwitchFailed(.abandoned)))
    }

    @Test func offerThatNeverComesBackIsMissed() {
        var bench = Self.registering()
        bench.line(.ended(Sample.first, .unreachable))
        bench.line(.registration(.direct, .registered))
        bench.run(.seconds(5))
        #expect(bench.ends == [.noOffer])
        #expect(bench.records.map(\.missed) == [.noOffer])
    }

    @Test func lossBeforeTheLineLeavesIsTheEnd() {
        var bench = Self.ready()
        bench.offer()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(organisation: "b"))))
        bench.ask(.answer(Sample.first))
        bench.line(.ended(Sample.first, .unreachable))
        #expect(bench.ends == [.unreachable])
    }
}
