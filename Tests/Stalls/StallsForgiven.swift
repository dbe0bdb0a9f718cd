import Base
import Bench
import Synchronization
import Testing

/// A test that failed while the machine stood still is run again, up to twice, and the run says so.
///
/// What fails on a machine that kept time fails at once, and what fails three times has failed: a fault of the phone is not
/// hidden by a stall that happened to come along, only an accident of the machine is not taken for one.
public struct StallsForgiven: TestTrait, SuiteTrait, TestScoping {
    private static let attempts = 3

    private let stalls: @Sendable (Instant) -> [Duration]

    /// - Parameter stalls: how long the machine stood still, each time, since then.
    public init(stalls: @escaping @Sendable (Instant) -> [Duration]) {
        self.stalls = stalls
    }

    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> StallsForgiven? {
        testCase == nil ? nil : self
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for _ in 1..<Self.attempts {
            let start = MonotonicTime.now
            guard try await failsInAStall(since: start, function) else { return }
            let stalls = stalls(start).map { "\($0)" }.joined(separator: ", ")
            print("test: \(test.name) is run again: the machine stood still for \(stalls)")
        }
        try await function()
    }

    /// Runs it. Issues that a stall excuses are told as known ones, all others as what they are.
    private func failsInAStall(
        since start: Instant, _ function: @Sendable () async throws -> Void
    ) async throws -> Bool {
        let excuses = Excuses()
        try await withKnownIssue("the machine stood still", isIntermittent: true) {
            try await function()
        } matching: { _ in
            guard !stalls(start).isEmpty else { return false }
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
    /// For tests that are clocked by sound and sockets. The watch begins with the first of them, not with the first that
    /// fails.
    public static var stallsForgiven: StallsForgiven {
        let watch = StallWatch.shared
        return StallsForgiven { watch.lengths(since: $0) }
    }
}
