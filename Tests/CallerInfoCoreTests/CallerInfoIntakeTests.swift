import Base
import CallerInfoCore
import Testing

@Suite struct CallerInfoIntakeTests {
    private static let time: Int64 = 1_700_000_000

    private var intake = CallerInfoIntake(topic: "offhook/desk/caller-info")

    private static func payload(sent: Int64 = time) -> [UInt8] {
        Array(#"{"type":"incoming_call","caller_number":"+4930123456","timestamp":\#(sent)}"#.utf8)
    }

    private mutating func reason(
        _ payload: [UInt8], length: Int? = nil, topic: String = "offhook/desk/caller-info", at now: Instant = .zero
    ) -> CallerInfoIntake.Drop? {
        let verdict = intake.judge(
            payload, length: length ?? payload.count, topic: topic, time: Self.time * 1_000_000_000, at: now)
        if case .drop(let reason, let why) = verdict {
            #expect(!why.isEmpty)
            return reason
        }
        return nil
    }

    @Test(
        arguments: [(30, nil), (31, .stale), (-60, nil), (-61, .future), (1_700_000_000, .stale)]
            as [(
                Int64, CallerInfoIntake.Drop?
            )])
    mutating func ageLimitsMessages(_ age: Int64, _ reason: CallerInfoIntake.Drop?) {
        #expect(self.reason(Self.payload(sent: Self.time - age)) == reason)
    }

    @Test mutating func otherTopicIsDropped() {
        #expect(reason(Self.payload(), topic: "offhook/other/caller-info") == .otherTopic)
    }

    @Test mutating func longMessageIsDroppedUnread() {
        #expect(reason(Self.payload(), length: 65_537) == .tooLong)
        #expect(reason(Self.payload(), length: 65_536) == nil)
    }

    @Test mutating func floodPassesOnlyItsBeginning() {
        var passed = 0
        for message in 0..<2_000 {
            if reason(Self.payload(), at: .zero + .milliseconds(message)) == nil { passed += 1 }
        }
        // The burst, and then one every 50 ms for two seconds.
        #expect((78...81).contains(passed), "\(passed)")
        #expect(intake.taken == passed && intake.dropped[.flood] == 2_000 - passed)
        #expect(reason(Self.payload(), at: .zero + .seconds(3)) == nil, "a call after the flood rings")
    }

    @Test mutating func invalidMessagesDoNotUseUpTheLimit() {
        for _ in 0..<1_000 { #expect(reason([]) == .invalid) }
        #expect(reason(Self.payload()) == nil)
        #expect(intake.dropped == [.invalid: 1_000])
    }
}

@Suite struct BrokerRetryTests {
    @Test func pauseDoublesUpToAMinute() {
        var retry = BrokerRetry()
        let pauses = (0..<8).map { _ in retry.failed(.other, at: .zero, random: 0) }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        retry.connected(at: .zero)
        #expect(retry.failed(.other, at: .zero + .seconds(59), random: 0) == .seconds(30), "it was too short")
        retry.connected(at: .zero)
        #expect(retry.failed(.other, at: .zero + .seconds(60), random: 0) == .milliseconds(500))
    }

    @Test func randomPartIsAtMostHalf() {
        for random in [0, 1, UInt64.max, 0x1234_5678_9ABC_DEF0] {
            var retry = BrokerRetry()
            let pause = retry.failed(.other, at: .zero, random: random)
            #expect((Duration.milliseconds(500)...Duration.seconds(1)).contains(pause))
        }
    }

    @Test func refusedVersionIsReplacedAtOnce() {
        var retry = BrokerRetry()
        #expect(retry.version == .v5)
        #expect(retry.failed(.version, at: .zero, random: 7) == .zero)
        #expect(retry.version == .v311)
        retry.connected(at: .zero)
        _ = retry.failed(.other, at: .zero, random: 7)
        #expect(retry.version == .v311, "a broker that was lost still has its version")
        #expect(retry.failed(.version, at: .zero, random: 7) > .zero, "no version pleases the broker")
        #expect(retry.version == .v5)
    }

    @Test func silentBrokerIsAskedInBothVersions() {
        var retry = BrokerRetry()
        #expect(retry.failed(.silence, at: .zero, random: 7) > .zero)
        #expect(retry.version == .v311)
        _ = retry.failed(.silence, at: .zero, random: 7)
        #expect(retry.version == .v5)
    }
}
