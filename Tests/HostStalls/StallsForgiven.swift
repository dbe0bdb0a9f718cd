import Base
import Bench
import Synchronization
import Testing

/// A test that failed while the machine stalled is repeated, up to twice, and the run reports it.
///
/// A failure on a healthy machine counts at once, and three failures count in any case. So a stall that happens by
/// chance does not hide a fault of the phone; only an accident of the machine is excused. If the machine stalled for a
/// good part of each attempt, the run lists the test as not judged. The same holds for tests for which such a machine
/// left no time, that of the run (`RetryBudget`) or their own limit.
public struct StallsForgiven: TestTrait, SuiteTrait, TestScoping {
    fileprivate static let attempts = 3
    /// An attempt may take so much longer than the former one.
    private static let margin = 1.5

    private let retryBudget: RetryBudget
    private let run: @Sendable () -> Stillness
    private let stillness: @Sendable (Instant) -> Stillness

    /// - Parameters:
    ///   - run: how the machine kept time since the run began.
    ///   - stillness: how it kept time since then.
    public init(
        retryBudget: RetryBudget, run: @escaping @Sendable () -> Stillness,
        stillness: @escaping @Sendable (Instant) -> Stillness
    ) {
        self.retryBudget = retryBudget
        self.run = run
        self.stillness = stillness
    }

    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> StallsForgiven? {
        testCase == nil ? nil : self
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let run = run()
        switch retryBudget.left(after: run) {
        case .allAttempts: try await allAttempts(at: test, function)
        case .oneAttempt: try await lastAttempt(at: test, function, unless: \.isThere)
        case .none: print("test: \(test.name) was not judged: no time is left, the machine stood still, \(run)")
        }
    }

    private func allAttempts(at test: Test, _ function: @Sendable () async throws -> Void) async throws {
        var wasAlwaysUnfit = true
        var taken = Duration.zero
        for _ in 1..<Self.attempts {
            let start = MonotonicTime.now
            guard try await isExcused(since: start, function, if: \.isThere) else { return }
            let stillness = stillness(start)
            wasAlwaysUnfit = wasAlwaysUnfit && stillness.isUnfit
            taken += stillness.elapsed
            // The framework's limit has no exceptions: an attempt that it would cut off is not started.
            if wasAlwaysUnfit, let limit = test.timeLimit, taken + stillness.elapsed * Self.margin > limit {
                return tellUnjudged(test, stillness)
            }
            print("test: \(test.name) is run again: the machine stood still, \(stillness)")
        }
        guard wasAlwaysUnfit else { return try await function() }
        try await lastAttempt(at: test, function, unless: \.isUnfit)
    }

    private func lastAttempt(
        at test: Test, _ function: @Sendable () async throws -> Void,
        unless excuse: @escaping @Sendable (Stillness) -> Bool
    ) async throws {
        let start = MonotonicTime.now
        guard try await isExcused(since: start, function, if: excuse) else { return }
        tellUnjudged(test, stillness(start))
    }

    private func tellUnjudged(_ test: Test, _ stillness: Stillness) {
        print("test: \(test.name) was not judged: the machine stood still, \(stillness)")
    }

    /// Runs it; returns whether it failed and was excused. Excused issues are reported as known ones, all others
    /// unchanged.
    private func isExcused(
        since start: Instant, _ function: @Sendable () async throws -> Void,
        if excuse: @escaping @Sendable (Stillness) -> Bool
    ) async throws -> Bool {
        let excuses = Excuses()
        try await withKnownIssue("the machine stood still", isIntermittent: true) {
            try await function()
        } matching: { _ in
            guard excuse(stillness(start)) else { return false }
            excuses.wereNeeded.store(true, ordering: .relaxed)
            return true
        }
        return excuses.wereNeeded.load(ordering: .relaxed)
    }

    private final class Excuses: Sendable {
        let wereNeeded = Atomic(false)
    }
}

extension Trait where Self == StallsForgiven {
    /// The trait of tests that are clocked by sound and sockets. The watch starts with the first of them, not with the
    /// first failure.
    public static var stallsForgiven: StallsForgiven {
        let watch = StallWatch.shared
        return StallsForgiven(retryBudget: .environment, run: { watch.wholeRun }) {
            Stillness(stalls: watch.lengths(since: $0), elapsed: MonotonicTime.now - $0)
        }
    }
}

extension Trait where Self == TimeLimitTrait {
    /// The limit of repeatable tests: so long for each time, counted together.
    public static func limit(minutesEachTime minutes: Int) -> TimeLimitTrait {
        .timeLimit(.minutes(StallsForgiven.attempts * minutes))
    }
}
