import Base
import Control
import JSON

/// The result of one check.
package struct DoctorFinding: Equatable, Sendable {
    package enum State: String, Sendable { case ok, warn, fail }

    /// The name of the check.
    package let check: String
    package let state: State
    package let text: String
    /// What a person can do; nil if nothing is wrong.
    package let advice: String?

    package static func ok(_ check: String, _ text: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .ok, text: text, advice: nil)
    }

    package static func warn(_ check: String, _ text: String, _ advice: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .warn, text: text, advice: advice)
    }

    package static func fail(_ check: String, _ text: String, _ advice: String) -> DoctorFinding {
        DoctorFinding(check: check, state: .fail, text: text, advice: advice)
    }

    /// One line for a person.
    package var line: String {
        let state = state.rawValue + String(repeating: " ", count: 5 - state.rawValue.count)
        let name = check + String(repeating: " ", count: max(0, 14 - check.count))
        return (state + " " + name + " " + text + (advice.map { "; " + $0 } ?? "")).withoutCommands
    }

    package var json: JSONValue {
        [
            "check": .string(check), "state": .string(state.rawValue), "text": .string(text),
            "advice": advice.map { .string($0) } ?? .null,
        ]
    }
}
