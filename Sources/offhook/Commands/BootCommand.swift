import Base
import Commands
import Control
import JSON
import Platform
import Synchronization

enum BootCommand {
    static var command: Command {
        Command(
            "boot", "Show how long each step of the running phone's start took, beside its budget.",
            RunningPhone.input, Parameter.flag("json", "Print JSON.")
        ) { phone, isJSON in
            let timeline = try phone.connect().call("getBootTimeline")
            print(isJSON ? timeline.text : BootText.lines(timeline).joined(separator: "\n"))
        }
    }
}

/// Prints the answer to `getBootTimeline` for a person.
enum BootText {
    static func lines(_ timeline: JSONValue) -> [String] {
        let steps = timeline["steps"]?.array ?? []
        let width = steps.map { ($0["name"]?.string ?? "").count }.max() ?? 0
        let rows = steps.map { step in
            let name = step["name"]?.string ?? "?"
            let took = milliseconds(step["tookMs"]?.double)
            guard let budget = step["budgetMs"]?.double else { return "\(padded(name, width))  \(took)" }
            let verdict = (step["tookMs"]?.double ?? .infinity) <= budget ? "" : "  over budget"
            return "\(padded(name, width))  \(took)  of \(milliseconds(budget))\(verdict)"
        }
        let ready = "ready after \(milliseconds(timeline["readyMs"]?.double).trimmingSpaces) of 100.0 ms"
        return rows + [ready]
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func milliseconds(_ value: Double?) -> String {
        guard let value, value.isFinite, abs(value) < 1e9 else { return "      ? ms" }
        let tenths = Int((value * 10).rounded())
        let text = "\(tenths / 10).\(tenths % 10) ms"
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}

extension String {
    fileprivate var trimmingSpaces: String { String(drop { $0 == " " }) }
}

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

extension BootTimeline {
    var json: JSONValue {
        let steps = steps.map { step -> JSONValue in
            var members: [String: JSONValue] = [
                "name": .string(step.name), "tookMs": .number(step.took.milliseconds),
            ]
            members["budgetMs"] = step.budget.map { .number($0.milliseconds) }
            return .object(members)
        }
        return .object([
            "steps": .array(steps), "readyMs": untilReady.map { .number($0.milliseconds) } ?? .null,
        ])
    }
}
