import Base
import Platform
import Synchronization

/// Records the steps of a start with their times, against the budgets of the specification.
final class BootTimeline: Sendable {
    struct Step: Equatable, Sendable {
        let name: String
        let took: Duration
        /// Nil: the specification gives the step no budget.
        let budget: Duration?
    }

    private struct Record: Sendable {
        var steps: [Step] = []
        var last: Instant
        var ready: Instant?
    }

    /// When the program's own code began to run. The loader's time before that is not included.
    let started: Instant
    private let record: Mutex<Record>

    init(started: Instant) {
        self.started = started
        record = Mutex(Record(last: started))
    }

    /// Records the time since the last step as the step `name`.
    func finish(_ name: String, budget: Duration? = nil) {
        let now = MonotonicClock.now()
        record.withLock { record in
            record.steps.append(Step(name: name, took: now - record.last, budget: budget))
            record.last = now
        }
    }

    func markReady() { record.withLock { $0.ready = MonotonicClock.now() } }

    var steps: [Step] { record.withLock { $0.steps } }
    var untilReady: Duration? { record.withLock { record in record.ready.map { $0 - started } } }
}
