import Base
import PhoneCore
import Testing

/// Effects of time on an active call: reported seconds, the longest call, silence.
@Suite("Time in a call")
struct LengthTests {
    private static func seconds(_ bench: Bench) -> [Int] {
        bench.log.compactMap { if case .control(.notice(.callDuration(_, let seconds))) = $0 { seconds } else { nil } }
    }

    @Test func everySecondIsReportedOnce() {
        var bench = Bench()
        bench.talk()
        bench.run(.milliseconds(3_500))
        #expect(Self.seconds(bench) == [1, 2, 3])
        bench.holdFirst()
        bench.run(.seconds(2))
        #expect(Self.seconds(bench) == [1, 2, 3, 4, 5], "held or not")
        bench.replace()
        bench.run(.seconds(5))
        #expect(Self.seconds(bench) == [1, 2, 3, 4, 5])
    }

    @Test func delayedPhoneReportsOnlyLastSecond() {
        var bench = Bench()
        bench.talk()
        bench.skip(.milliseconds(7_200))
        bench.post(.deadline)
        #expect(Self.seconds(bench) == [7])
    }

    @Test func lastSecondOfCallIsNotReported() {
        var policy = Sample.policy
        policy.maximumCallTime = .seconds(3)
        var bench = Bench(policy: policy)
        bench.talk()
        bench.run(.seconds(10))
        #expect(Self.seconds(bench) == [1, 2])
    }

    @Test func callLimitWithoutNetworkIsNotNetworkLoss() {
        var policy = Sample.policy
        policy.maximumCallTime = .seconds(10)
        var bench = Bench(policy: policy)
        bench.talk()
        bench.network(.none)
        bench.run(.seconds(20))
        #expect(!bench.noticed(.networkTimeout(Sample.first)))
        #expect(!bench.ends.isEmpty && !bench.ends.contains(.networkLost))
    }

    @Test func secondsBeforeVoiceAreNotReported() {
        var bench = Bench()
        bench.offer()
        bench.lift()
        bench.line(.answered(Sample.first, Sample.plan))
        bench.run(.milliseconds(2_500))
        bench.media(.ready(Sample.first))
        bench.run(.seconds(1))
        #expect(Self.seconds(bench) == [3])
    }

    @Test(arguments: [
        (0, "00:00"), (9, "00:09"), (10, "00:10"), (75, "01:15"), (3_599, "59:59"), (3_600, "01:00:00"),
        (86_399, "23:59:59"),
        (360_000, "100:00:00"),
    ])
    func durationIsFormattedForPeople(_ seconds: Int, _ text: String) {
        #expect(CallSummary.durationText(seconds: seconds) == text)
    }

    @Test func longestCallEnds() {
        var policy = Sample.policy
        policy.maximumCallTime = .seconds(120)
        var bench = Bench(policy: policy)
        bench.offer()
        bench.run(.seconds(10))
        bench.lift()
        bench.connect()
        bench.run(.milliseconds(60_000))
        bench.holdFirst()
        bench.run(.milliseconds(59_999))
        #expect(bench.phase() == .onHold)
        bench.run(.milliseconds(1))
        #expect(bench.did(.end(Sample.first, because: .tooLong)))
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.ends == [.tooLong])
    }

    @Test func silenceIsReportedAfterFiveSecondsAndEndsCallAfterThirty() {
        var bench = Bench()
        bench.talk()
        bench.run(.seconds(5))
        bench.media(.silent(Sample.first))
        #expect(bench.summary()?.impaired == true)
        bench.media(.heard(Sample.first))
        #expect(bench.summary()?.impaired == false)
        bench.media(.silent(Sample.first))
        bench.run(.milliseconds(24_999))
        #expect(bench.phase() == .active)
        bench.run(.milliseconds(1))
        #expect(bench.phase() == .disconnecting)
    }

    @Test func unsentVoiceIsReportedUntilItIsSent() {
        var bench = Bench()
        bench.talk()
        #expect(bench.lamp(.line) == .on)
        bench.media(.sendingFailed(Sample.first, "Network is unreachable"))
        #expect(bench.summary()?.sendFault == "Network is unreachable" && bench.lamp(.line) == .slowBlink)
        bench.media(.sendingResumed(Sample.first))
        #expect(bench.summary()?.sendFault == nil && bench.lamp(.line) == .on)
        bench.media(.sendingFailed(Sample.first, "Network is unreachable"))
        bench.ask(.hangUp(Sample.first))
        #expect(bench.phase() == .disconnecting && bench.summary()?.sendFault == nil, "no voice is needed any more")
    }

    @Test func heldCallMayBeSilent() {
        var bench = Bench()
        bench.talk()
        bench.holdFirst()
        bench.media(.silent(Sample.first))
        #expect(bench.summary()?.impaired == false)
        bench.run(.seconds(300))
        #expect(bench.phase() == .onHold)
    }

    @Test(
        arguments: [
            (4.5, .good), (4.0, .good), (3.99, .fair), (3.5, .fair), (3.49, .poor), (1, .poor), (nil, .unknown),
            (.nan, .unknown),
        ] as [(Double?, VoiceQuality.Rating)])
    func qualityRatingHasName(_ score: Double?, _ rating: VoiceQuality.Rating) {
        #expect(VoiceQuality(opinionScore: score).rating == rating)
    }
}
