import Panel
import PhoneCore

extension OutputRun {
    /// Shows a text on the display and asks whether the person can read it.
    mutating func tryDisplay(_ spec: DisplaySpec) throws {
        let failure = FirstFailure()
        let content = DisplayContent(title: "Offhook", detail: "0123456789", notes: ["abc ÄÖÜ äöüß"])
        let display = Display(spec, showing: content) { failure.note($0) }
        try display.start()
        defer { display.close() }
        try person.pause(for: .seconds(1))
        if let why = failure.text {
            try person.say(why)
            return take("no", of: "display")
        }
        take(
            try person.choose("Display: can you read “Offhook”?", usual: "yes", ["yes", "no", "skip"]),
            of: "display")
    }
}
