import Base
import Bench
import Foundation
import HostStalls
import Synchronization
import Testing

@Suite struct StallsForgivenTests {
    private final class Attempts: Sendable {
        let count = Atomic(0)

        /// The number of this one, from 1.
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    private static func kept(_ stalls: Int, of seconds: Int) -> Stillness {
        Stillness(stalls: Array(repeating: .milliseconds(80), count: stalls), elapsed: .seconds(seconds))
    }

    private static func forgiven(
        run: Stillness = kept(0, of: 1), _ stillness: @escaping @Sendable (Instant) -> Stillness
    ) -> StallsForgiven {
        StallsForgiven(retryBudget: RetryBudget(whole: .seconds(100)), run: { run }, stillness: stillness)
    }

    private let still = forgiven { _ in kept(1, of: 2) }
    private let steady = forgiven { _ in kept(0, of: 2) }
    private let unfit = forgiven { _ in kept(2, of: 3) }

    private func run(_ trait: StallsForgiven, _ function: @Sendable () async throws -> Void) async throws {
        try await trait.provideScope(
            for: try #require(Test.current), testCase: Test.Case.current, performing: function)
    }

    @Test func passingTestRunsOnce() async throws {
        let attempts = Attempts()
        try await run(still) { _ = attempts.next() }
        #expect(attempts.count.load(ordering: .relaxed) == 1)
    }

    @Test func failureDuringStallIsRepeated() async throws {
        let attempts = Attempts()
        try await run(still) {
            let number = attempts.next()
            #expect(number == 2)
        }
        #expect(attempts.count.load(ordering: .relaxed) == 2)
    }

    @Test func failedRequirementDuringStallIsRepeated() async throws {
        let attempts = Attempts()
        try await run(still) { try #require(attempts.next() == 3) }
        #expect(attempts.count.load(ordering: .relaxed) == 3)
    }

    @Test func constantFailureFails() async throws {
        let attempts = Attempts()
        let issues = Attempts()
        try await withKnownIssue {
            try await run(still) { #expect(attempts.next() == 0) }
        } matching: { _ in
            issues.next() == 1
        }
        #expect(attempts.count.load(ordering: .relaxed) == 3)
        #expect(issues.count.load(ordering: .relaxed) == 1, "only the last failure counts")
    }

    @Test func failureOnSteadyMachineFailsAtOnce() async throws {
        let attempts = Attempts()
        await withKnownIssue { try await run(steady) { #expect(attempts.next() == 0) } }
        #expect(attempts.count.load(ordering: .relaxed) == 1)
    }

    /// Known issues only, so that this test passes.
    @Test func failureOnUnfitMachineIsNotJudged() async throws {
        let attempts = Attempts()
        try await run(unfit) { #expect(attempts.next() == 0) }
        #expect(attempts.count.load(ordering: .relaxed) == 3)
    }

    /// One attempt on a fit machine is enough for a judgement.
    @Test(arguments: 1...3) func oneFailureOnFitMachineIsJudged(fit: Int) async throws {
        let attempts = Attempts()
        let sometimesFit = Self.forgiven { _ in
            Self.kept(attempts.count.load(ordering: .relaxed) == fit ? 1 : 2, of: 2)
        }
        await withKnownIssue { try await run(sometimesFit) { #expect(attempts.next() == 0) } }
        #expect(attempts.count.load(ordering: .relaxed) == 3)
    }

    /// Halfway through its patience with an unfit machine.
    @Test(arguments: [0, 1, 2]) func lateRunRepeatsNothing(stalls: Int) async throws {
        let late = Self.forgiven(run: Self.kept(50, of: 51)) { _ in Self.kept(stalls, of: 2) }
        let (attempts, issues) = (Attempts(), Attempts())
        try await withKnownIssue(isIntermittent: true) {
            try await run(late) { #expect(attempts.next() == 0) }
        } matching: { _ in
            issues.next() > 0
        }
        #expect(attempts.count.load(ordering: .relaxed) == 1)
        #expect(issues.count.load(ordering: .relaxed) == (stalls == 0 ? 1 : 0), "judged where the machine kept time")
    }

    @Test func withoutTimeNothingStarts() async throws {
        let attempts = Attempts()
        try await run(Self.forgiven(run: Self.kept(90, of: 101)) { _ in Self.kept(0, of: 2) }) {
            #expect(attempts.next() == 0)
        }
        #expect(attempts.count.load(ordering: .relaxed) == 0)
    }

    /// An attempt of 20 minutes leaves too little of an hour for a third, one of 50 for a second.
    @Test(.timeLimit(.minutes(60)), arguments: [(10, 3), (20, 2), (50, 1)])
    func attemptBeyondLimitIsNotStarted(minutes: Int, expected: Int) async throws {
        let attempts = Attempts()
        try await run(Self.forgiven { _ in Self.kept(60 * minutes, of: 60 * minutes) }) {
            #expect(attempts.next() == 0)
        }
        #expect(attempts.count.load(ordering: .relaxed) == expected)
    }

    /// A fit machine is tried until three failures, or until the limit.
    @Test(.timeLimit(.minutes(60))) func fitMachineIgnoresLimit() async throws {
        let attempts = Attempts()
        await withKnownIssue {
            try await run(Self.forgiven { _ in Self.kept(1, of: 50 * 60) }) { #expect(attempts.next() == 0) }
        }
        #expect(attempts.count.load(ordering: .relaxed) == 3)
    }

    @Test func steadyMachineMayTakeItsTime() async throws {
        let attempts = Attempts()
        try await run(Self.forgiven(run: Self.kept(10, of: 3_600)) { _ in Self.kept(1, of: 2) }) {
            #expect(attempts.next() == 2)
        }
        #expect(attempts.count.load(ordering: .relaxed) == 2)
    }

    @Test func reportIsShort() {
        #expect("\(Self.kept(3, of: 61))" == "3 times, 0.240 s of 61.000 s, 0.080 s at most")
        #expect("\(Self.kept(0, of: 2))" == "0 times, 0.000 s of 2.000 s, 0.000 s at most")
    }

    /// To a process that is stopped for 100 ms, the machine stalled.
    @Test func watchReportsDuration() throws {
        let watch = StallWatch.shared
        let start = MonotonicTime.now
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "kill -STOP $PPID; sleep 0.1; kill -CONT $PPID"]
        try shell.run()
        shell.waitUntilExit()
        var lengths: [Duration] = []
        for _ in 0..<100 where lengths.allSatisfy({ $0 <= .milliseconds(80) }) {
            MonotonicTime.sleep(.milliseconds(10))
            lengths = watch.lengths(since: start)
        }
        #expect(lengths.contains { $0 > .milliseconds(80) }, "\(lengths)")
    }
}
