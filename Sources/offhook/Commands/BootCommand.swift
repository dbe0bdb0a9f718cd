import ArgumentParser
import Control
import JSON

struct BootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boot", abstract: "Show how long each step of the running phone's start took, beside its budget.")

    @OptionGroup var phone: RunningPhone
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        let timeline = try phone.connect().call("getBootTimeline")
        print(json ? timeline.text : BootText.lines(timeline).joined(separator: "\n"))
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
