import Base
import PhoneCore
import Testing

/// §3 and §5: which calls are announced, and by which part.
@Suite("Announcement and refusal")
struct RefusalTests {
    @Test func doNotDisturbRefusesAndRecords() {
        var bench = Bench()
        #expect(bench.ask(.doNotDisturb(true)) == .fulfilled)
        bench.offer(opened: false)
        #expect(bench.did(.refuse(Sample.first, .busy)))
        #expect(bench.records.map(\.missed) == [.doNotDisturb])
        #expect(bench.lamp(.doNotDisturb) == .on)
        #expect(bench.lamp(.message) == .on)
        #expect(!bench.log.contains { if case .panel(.bell) = $0 { true } else { false } })
        var settings = PhoneSettings()
        settings.doNotDisturb = true
        #expect(bench.did(.vault(.keep(settings))))
        #expect(bench.noticed(.doNotDisturbChanged(true)))
    }

    /// Writing wears out a disk, and a program may repeat its request.
    @Test func unchangedSettingIsNotStoredAgain() {
        var bench = Bench()
        bench.ask(.doNotDisturb(true))
        bench.forget()
        #expect(bench.ask(.doNotDisturb(true)) == .fulfilled)
        #expect(!bench.log.contains { if case .vault(.keep) = $0 { true } else { false } })
    }

    @Test func doNotDisturbKeyTogglesAndPersists() {
        var bench = Bench()
        bench.press(.doNotDisturb)
        #expect(bench.machine.snapshot.settings.doNotDisturb)
        bench.press(.doNotDisturb)
        #expect(!bench.machine.snapshot.settings.doNotDisturb)
        var memory = PhoneMemory()
        memory.settings.doNotDisturb = true
        bench.post(.vault(.remembered(memory)))
        #expect(bench.lamp(.doNotDisturb) == .on)
        bench.offer(opened: false)
        #expect(bench.ends == [.doNotDisturb])
    }

    @Test func doNotDisturbRefusesAnnouncedCallOnce() {
        var bench = Bench()
        bench.ask(.doNotDisturb(true))
        bench.post(.callerInfo(.incoming(CallerInfoTests.info())))
        bench.offer(opened: false)
        #expect(bench.did(.refuse(Sample.first, .busy)))
        #expect(bench.records.map(\.name) == ["Ada Lovelace"])
    }

    // MARK: Refused by the line

    private static func refused(_ reason: CallRefusal, ids: [String] = []) -> LineEvent {
        .refused(
            Caller(number: "+15550100", account: .direct, ids: ids), from: "192.0.2.7", because: reason)
    }

    /// A caller with another offer is a new first report, whatever the line refused before, and on any account.
    @Test(arguments: [.noProtection, .noCommonCodec, .malformed, .noRoom, .tooOften] as [CallRefusal])
    func callerRefusedByLineMayCallAgainAtOnce(_ reason: CallRefusal) {
        for (refused, offered) in [([], []), (["a"], []), ([], ["a"]), (["a"], ["a"])] as [([String], [String])] {
            var bench = Bench()
            bench.line(Self.refused(reason, ids: refused))
            #expect(bench.records.count == 1 && bench.machine.snapshot.missed.count == 1)
            bench.run(.seconds(1))
            bench.line(.offered(Sample.first, Caller(number: "+15550100", account: AccountID(1), ids: offered)))
            #expect(bench.phase() == .ringingIn, "\(reason): \(refused), \(offered)")
        }
    }

    /// Caller info is the second source of the call that the line refused, and announces nothing.
    @Test func infoForRefusedCallAnnouncesNothing() {
        var bench = Bench()
        bench.line(Self.refused(.noProtection))
        bench.post(.callerInfo(.incoming(CallerInfoTests.info())))
        #expect(bench.machine.snapshot.calls.isEmpty && bench.records.count == 1)
        bench.run(.seconds(1))
        bench.offer()
        #expect(bench.phase() == .ringingIn)
    }

    /// One call: announced by caller info, refused by the line for its media, and offered once more.
    @Test func announcedCallWaitsForAnotherOffer() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info())))
        bench.line(Self.refused(.noProtection))
        #expect(bench.records.isEmpty && bench.machine.snapshot.refusedCalls == 1)
        bench.line(.offered(Sample.first, Sample.caller))
        #expect(bench.machine.snapshot.calls.count == 1 && bench.did(.alert(Sample.first)))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.records.count == 1 && bench.machine.snapshot.missed.count == 1)
    }

    @Test func secondAnnouncementIsRefusedWithReason() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info())))
        bench.ask(.hangUp(nil))
        bench.offer(opened: false)
        #expect(bench.did(.refuse(Sample.first, .declined)))
        let told = RefusedCall(
            account: .direct, number: "+15550100", name: "Ada", from: nil, reason: .overHere)
        #expect(bench.noticed(.callRefused(told)))
        #expect(bench.records.count == 1, "the call itself is recorded once")
    }

    @Test func blockedCallerRefusedByLineIsRecordedButNotMissed() {
        var policy = Sample.policy
        policy.blocked = ["+15550100"]
        var bench = Bench(policy: policy)
        bench.line(Self.refused(.noProtection))
        #expect(bench.records.map(\.reason) == [.blocked] && bench.records.map(\.missed) == [nil])
        #expect(bench.machine.snapshot.refusedCalls == 1)
    }

    @Test(arguments: [true, false])
    func blockedCallerIsRefusedAndNotMissed(_ byContact: Bool) {
        var policy = Sample.policy
        if !byContact { policy.blocked = ["1 555 0100"] }
        var bench = Bench(policy: policy)
        if byContact { bench.post(.vault(.contacts([Contact(name: "Pest", number: "15550100", isBlocked: true)]))) }
        bench.offer(opened: false)
        #expect(bench.did(.refuse(Sample.first, .declined)))
        #expect(bench.records.map(\.reason) == [.blocked])
        #expect(bench.records.map(\.missed) == [nil])
        #expect(bench.lamp(.message) == .off)
    }

    @Test func lateOfferIsRefused() {
        for (late, isAnnounced) in [(5_000, true), (5_001, false)] {
            var bench = Bench()
            bench.skip(.seconds(60))
            let arrived = bench.now - .milliseconds(late)
            bench.line(.offered(Sample.first, Caller(number: "123", account: .direct, arrived: arrived)))
            #expect((bench.phase() == .ringingIn) == isAnnounced)
            guard !isAnnounced else { continue }
            #expect(bench.did(.refuse(Sample.first, .unavailable)), "480")
            #expect(bench.noticed(.trouble("a call could not be announced in time", .notAnnounced)))
            #expect(bench.records.map(\.missed) == [.failed])
        }
    }

    @Test func interfaceAnnouncesWherePanelDoesNot() {
        for announcer in Announcer.allCases {
            var policy = Sample.policy
            policy.announcer = announcer
            var bench = Bench(policy: policy)
            bench.offer()
            #expect(bench.machine.snapshot.ringing == (announcer != .interface))
            #expect(bench.lamp(.ringing) == (announcer == .interface ? .off : .fastBlink))
            #expect(bench.summary()?.announcedByInterface == (announcer != .panel))
            bench.ask(.answer(nil))
            #expect(bench.summary()?.announcedByInterface == false)
        }
    }

    @Test func kioskKnocksSilently() {
        var policy = Sample.policy
        policy.announcer = .interface
        var bench = Bench(policy: policy)
        bench.talk()
        bench.offer(Sample.second)
        #expect(bench.machine.snapshot.tone == nil)
    }

    @Test func failedPanelLeavesAnnouncingToInterface() {
        var policy = Sample.policy
        policy.announcer = .panel
        var bench = Bench(policy: policy)
        bench.offer()
        #expect(bench.summary()?.announcedByInterface == false)
        bench.post(.panel(.failed("no chip")))
        #expect(bench.summary()?.announcedByInterface == true)
        bench.connectByInterface()
        #expect(bench.phase() == .active, "the call lives")
        bench.post(.panel(.hookFound(.onHook)))
        bench.offer(Sample.second)
        #expect(bench.summary(Sample.second)?.announcedByInterface == false)
    }

    // MARK: Choice of the ring

    @Test func ringPrecedenceIsContactServerAccount() {
        var policy = Sample.policy
        let (contact, asked, account) = (cadence(1), cadence(2), cadence(3))
        policy.rings = ["ada": contact, "bellcore-dr2": asked, "office": account]
        policy.accountRings = [.direct: "office"]
        func ring(contacts: [Contact], asks ring: String?, account: AccountID = .direct) -> Ring? {
            var bench = Bench(policy: policy)
            bench.post(.vault(.contacts(contacts)))
            bench.line(.offered(Sample.first, Caller(number: "+15550100", account: account, ring: ring)))
            let rings = bench.log.compactMap { if case .media(.ring(let ring)) = $0 { ring } else { nil } }
            let bells = bench.log.compactMap { if case .panel(.bell(let cadence)) = $0 { cadence } else { nil } }
            #expect(bells == rings.map(\.cadence), "the ringer follows the bell")
            return rings.first
        }
        #expect(ring(contacts: [Sample.contact], asks: "bellcore-dr2") == Ring(name: "ada", cadence: contact))
        #expect(ring(contacts: [], asks: "bellcore-dr2") == Ring(name: "bellcore-dr2", cadence: asked))
        #expect(ring(contacts: [], asks: "unknown") == Ring(name: "office", cadence: account))
        #expect(ring(contacts: [], asks: nil, account: AccountID(4)) == Ring(name: nil, cadence: policy.ringCadence))
    }

    private func cadence(_ seconds: Int) -> RingCadence { RingCadence([.seconds(seconds), .seconds(seconds)]) }

    // MARK: Automatic answer

    @Test func onlyListedCallersAreAnsweredAutomatically() {
        for (number, asks, onlyWhenAsked, isAnswered) in [
            ("+15550100", true, true, true), ("+15550100", false, true, false), ("+15550100", false, false, true),
            ("+15550111", true, true, false), ("+15550111", true, false, false), ("", true, false, false),
        ] {
            var policy = Sample.policy
            policy.autoAnswer.callers = [ListedCaller("+1 555-0100")]
            policy.autoAnswer.onlyWhenAsked = onlyWhenAsked
            var bench = Bench(policy: policy)
            bench.line(
                .offered(
                    Sample.first,
                    Caller(
                        number: number, account: .direct, wantsAutoAnswer: asks, vouched: AssertedNumber(number))))
            #expect((bench.phase() == .connecting) == isAnswered, "\(number) \(asks) \(onlyWhenAsked)")
            #expect(bench.machine.snapshot.route == (isAnswered ? .speaker : .handset))
        }
    }

    @Test func automaticAnswerDoesNotInterruptConversation() {
        var policy = Sample.policy
        policy.autoAnswer.callers = [ListedCaller("+15550100")]
        policy.autoAnswer.onlyWhenAsked = false
        var bench = Bench(policy: policy)
        bench.post(.panel(.hookFound(.onHook)))
        bench.lift()
        bench.offer()
        #expect(bench.phase() == .ringingIn, "somebody is dialling")
    }
}

extension Bench {
    /// Another program answered it, and it connected.
    mutating func connectByInterface(_ id: CallID = Sample.first) {
        ask(.answer(id))
        connect(id)
    }
}
