import Base
import PhoneCore
import Testing

/// The test of loudspeaker and microphone: its triggers, its interruptions and its result.
@Suite("Tests of loudspeaker and microphone")
struct SoundTestTests {
    private static func bench(_ tests: SoundTestPolicy? = SoundTestPolicy(every: .seconds(86_400))) -> Bench {
        var policy = Sample.policy
        policy.soundTest = tests
        policy.paging = PagingPolicy(groups: Sample.groups)
        policy.displayLanguage = .english
        var bench = Bench(policy: policy)
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        return bench
    }

    private static func order(_ number: UInt32) -> MediaEffect {
        .testSound(SoundTest(number: number, route: .speaker))
    }
    private static let good = SoundTestReading.heard(before: -82, during: -41)

    @Test func requestRunsTest() {
        var bench = Self.bench(nil)
        #expect(bench.ask(.testSound(nil)) == nil)
        #expect(bench.did(Self.order(1)))
        #expect(bench.ask(.testSound(nil)) == .failed(.alreadyUnderWay))
        bench.media(.soundTested(1, Self.good))
        let result = SoundTestResult(route: .speaker, verdict: .ok, before: -82, during: -41)
        #expect(bench.outcome(of: 1) == .fulfilled && bench.noticed(.soundTested(result)))
        #expect(bench.machine.snapshot.soundTest == result && bench.lamp(.line) == .off)
        bench.run(.seconds(200_000))
        #expect(!bench.did(Self.order(2)), "and not again by itself")
        #expect(bench.ask(.testSound(.handset)) == .failed(.notSupported))
    }

    @Test(arguments: [
        (SoundTestReading.heard(before: -90, during: -70), SoundTestVerdict.ok),
        (.heard(before: -90, during: -79), .silent), (.heard(before: -90, during: -100), .silent),
        (.heard(before: -55, during: -50), .silent), (.heard(before: -54.9, during: -50), .tooLoud),
        (.heard(before: -40, during: -38), .tooLoud), (.heard(before: -40, during: -20), .ok),
        (.noDevice, .missing),
    ])
    func resultIsReportedAndShown(reading: SoundTestReading, verdict: SoundTestVerdict) {
        var bench = Self.bench(nil)
        bench.ask(.testSound(nil))
        bench.media(.soundTested(1, reading))
        let shown = bench.machine.snapshot
        #expect(shown.soundTest?.verdict == verdict)
        let isFault = verdict == .silent || verdict == .missing
        #expect(shown.display?.notes.contains("Speaker or mic!") == isFault)
        #expect(bench.lamp(.line) == (isFault ? .slowBlink : .off))
        #expect(shown.soundTest?.sentence.contains("speaker") == true)
    }

    @Test func testRunsOnSchedule() {
        var bench = Self.bench()
        bench.run(.seconds(599))
        #expect(!bench.did(Self.order(1)))
        bench.run(.seconds(1))
        #expect(bench.did(Self.order(1)), "ten minutes after the start")
        bench.media(.soundTested(1, Self.good))
        bench.run(.seconds(86_399))
        #expect(!bench.did(Self.order(2)))
        bench.run(.seconds(1))
        #expect(bench.did(Self.order(2)))
        bench.run(.seconds(10))
        #expect(bench.machine.snapshot.soundTest?.verdict == .missing, "a route without a level has no device")
    }

    @Test func scheduledTestWaitsForItsHours() {
        var bench = Self.bench(SoundTestPolicy(every: .seconds(3_600), hours: .init(from: 23 * 60, to: 4 * 60)))
        bench.run(.seconds(7_200))
        #expect(!bench.did(Self.order(1)), "the time is not known")
        bench.post(.clock(WeekTime(.friday, minute: 23 * 60 - 1)))
        bench.run(.seconds(1))
        #expect(!bench.did(Self.order(1)))
        bench.post(.clock(WeekTime(.friday, minute: 23 * 60)))
        bench.run(.seconds(1))
        #expect(bench.did(Self.order(1)))
        bench.media(.soundTested(1, Self.good))
        bench.post(.clock(WeekTime(.saturday, minute: 3 * 60 + 59)))
        bench.run(.seconds(3_600))
        #expect(bench.did(Self.order(2)))
        bench.media(.soundTested(2, Self.good))
        bench.post(.clock(WeekTime(.saturday, minute: 4 * 60)))
        bench.run(.seconds(7_200))
        #expect(!bench.did(Self.order(3)))
    }

    @Test func testRunsOnlyAtRest() {
        for disturbance in Self.disturbances where disturbance != .shutDown {
            var bench = Self.bench()
            bench.post(disturbance)
            #expect(bench.ask(.testSound(nil)) == .failed(.soundInUse), "\(disturbance)")
            #expect(!bench.did(Self.order(1)))
        }
        var bench = Self.bench()
        bench.offer()
        bench.lift()
        bench.connect()
        bench.run(.seconds(900))
        #expect(!bench.did(Self.order(1)))
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpThere))
        bench.run(.seconds(59))
        #expect(!bench.did(Self.order(1)), "a person who has just left is not startled")
        bench.run(.seconds(2))
        #expect(bench.did(Self.order(1)))
    }

    private static let disturbances: [PhoneEvent] = [
        .line(.offered(Sample.first, Sample.caller)), .panel(.hook(.offHook)), .panel(.pressed(.speaker)),
        .panel(.pressed(.page(3))), .media(.pageStarted(4)), .media(.interrupted), .shutDown,
        .request(Sample.action(900), .dial("5550100", account: nil)),
    ]

    /// The devices are free in the same transition that announces the call, before it can be answered.
    @Test func anyDisturbanceEndsTest() {
        for disturbance in Self.disturbances {
            var bench = Self.bench()
            bench.ask(.testSound(nil))
            let effects = bench.post(disturbance)
            #expect(effects.contains(.media(.testSound(nil))), "\(disturbance)")
            #expect(bench.outcome(of: 1) == .failed(.soundInUse))
            bench.media(.soundTested(1, .noDevice))
            #expect(bench.machine.snapshot.soundTest == nil, "a late result is ignored")
        }
    }

    @Test func inconclusiveTestIsRepeatedSoon() {
        var bench = Self.bench()
        bench.run(.seconds(600))
        bench.media(.soundTested(1, .heard(before: -20, during: -20)))
        bench.run(.seconds(600))
        #expect(bench.did(Self.order(2)))
        bench.offer()
        bench.line(.ended(Sample.first, .cancelledThere))
        bench.run(.seconds(599))
        #expect(!bench.did(Self.order(3)))
        bench.run(.seconds(1))
        #expect(bench.did(Self.order(3)))
    }
}
