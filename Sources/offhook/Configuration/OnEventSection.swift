import Control
import Programs
import YAML

/// A program to run on events.
struct OnEventSection: YAMLReadable {
    let rule: ProgramRule

    init(from section: inout YAMLSection) throws(YAMLError) {
        let events = try section.required("events", .list(of: .eventName(), count: 1...EventName.allCases.count))
        // The example is a whole command, so that a reader that explores the keys finds the next one, too.
        let argument = YAMLShape<String>.scalar("an argument of 0 to 1024 characters", example: "/usr/bin/logger") {
            $0.count <= 1_024 ? $0 : nil
        }
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
