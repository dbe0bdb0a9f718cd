import Base
import Foundation

/// How long a run may take on a machine that stalls again and again. There everything takes longer, most tests fail,
/// and each of those is run three times.
///
/// A healthy machine may take as long as it needs.
public struct RetryBudget: Sendable {
    /// The remaining time.
    public enum Left: Sendable {
        /// Time to repeat a failed test.
        case allAttempts
        case oneAttempt
        case none
    }

    private let whole: Duration

    /// - Parameter whole: after this time nothing is started any more, after half of it nothing repeated.
    public init(whole: Duration) {
        self.whole = whole
    }

    /// The limit of `Scripts/test`.
    static let environment = RetryBudget(
        whole: .seconds(60 * (ProcessInfo.processInfo.environment["OFFHOOK_TEST_MINUTES"].flatMap(Int.init) ?? 40)))

    /// - Parameter run: how the machine kept time since the run began.
    public func left(after run: Stillness) -> Left {
        guard run.isUnfit, run.elapsed > whole / 2 else { return .allAttempts }
        return run.elapsed > whole ? .none : .oneAttempt
    }
}
