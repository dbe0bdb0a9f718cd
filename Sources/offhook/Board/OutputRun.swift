import Panel
import PhoneCore

/// Runs trials of outputs one after the other, and stores the person's answers.
struct OutputRun {
    /// The shortest time of a lamp's pattern, so that answers from a pipe do not outrun it.
    private static let glimpse = Duration.milliseconds(300)

    let panel: Panel
    let failure: FirstFailure
    let person: any BoardPerson
    private(set) var passed: [String] = []
    private(set) var failed: [String] = []
    private(set) var untried: [String] = []

    init(panel: Panel, failure: FirstFailure, person: any BoardPerson) {
        (self.panel, self.failure, self.person) = (panel, failure, person)
    }

    mutating func run(_ trials: [OutputTrial]) throws {
        for trial in trials { try run(trial) }
    }

    private mutating func run(_ trial: OutputTrial) throws {
        if let consent = trial.consent {
            guard try person.confirm(consent, usual: false) else { return untried.append(trial.name) }
        }
        panel.perform(trial.on)
        // After an interruption the error closes the panel, which switches all outputs off.
        try person.pause(for: trial.time ?? Self.glimpse)
        if trial.time != nil { panel.perform(trial.off) }
        let answer = try person.choose(trial.question, usual: "yes", ["yes", "no", "skip"])
        panel.perform(trial.off)
        if let failure = failure.text { throw CommandError(failure) }
        take(answer, of: trial.name)
    }

    mutating func take(_ answer: String, of name: String) {
        switch answer {
        case "yes": passed.append(name)
        case "no": failed.append(name)
        default: untried.append(name)
        }
    }
}
