import Control
import Programs
import YAML

/// A program to run on events.
struct OnEventSection: YAMLReadable {
    let rule: ProgramRule

    init(from section: inout YAMLSection) throws(YAMLError) {
        let events = try section.required("events", .list(of: .eventName(), count: 1...EventName.allCases.count))
        let argument = YAMLShape<String>.text("an argument", length: 0...1_024)
        let command = try section.required("run", .list(of: argument, count: 1...32).secret)
        let limit = try section.optional(
            "timeout", .duration(in: .milliseconds(100) ... .seconds(60)), usual: .seconds(5))
        guard command[0].hasPrefix("/") else {
            throw section.error(
                "run", "\"\(command[0])\" must be an absolute path, because no shell searches PATH")
        }
        rule = ProgramRule(events: Set(events), command: command, timeLimit: limit)
    }
}

extension YAMLShape where Value == String {
    /// An event that programs can get. `clientReady` and `reset` belong to a subscription.
    fileprivate static func eventName() -> YAMLShape {
        let names = EventName.allCases.filter { ![.clientReady, .reset].contains($0) }.map(\.rawValue)
        return .scalar("the name of an event (see docs/control.md)", words: names) { names.contains($0) ? $0 : nil }
    }
}
