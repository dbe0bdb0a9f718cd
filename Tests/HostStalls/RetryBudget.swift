import Base
import Foundation

/// How long a run may take on a machine that stands still again and again: there everything takes longer, most tests fail,
/// and each of those is run three times.
///
/// A machine that keeps time may take as long as it likes.
public struct RetryBudget: Sendable {
    /// What there is time for.
    public enum Left: Sendable {
        /// Time to run a test again where it fails.
        case allAttempts
        case oneAttempt
        case none
    }

    private let whole: Duration

    /// - Parameter whole: after so much of it nothing is begun any more, after half of it nothing run again.
    public init(whole: Duration) {
        self.whole = whole
    }

    /// What `Scripts/test` allows.
    static let environment = RetryBudget(
        whole: .seconds(60 * (ProcessInfo.processInfo.environment["OFFHOOK_TEST_MINUTES"].flatMap(Int.init) ?? 40)))

    /// - Parameter run: how the machine kept time since the run began.
    public func left(after run: Stillness) -> Left {
        guard run.isUnfit, run.elapsed > whole / 2 else { return .allAttempts }
        return run.elapsed > whole ? .none : .oneAttempt
    }
}
