import PhoneCore

extension Replay.Step {
    /// The step on a timeline: what happened, what the phone did, and the state of its calls. The lines contain no
    /// characters that control a terminal.
    public var lines: [String] {
        switch self {
        case .began(let header):
            [clean("recorded by offhook \(header.program)") + (header.redacted ? ", redacted" : "")]
                + header.machine.snapshot.calls.map { Self.indented("= \($0.words)") }
        case .happened(let moment):
            [Self.padded(moment.time.words) + "  " + clean(moment.event.words)]
                + moment.effects.map { Self.indented("→ \($0.words)") }
                + (moment.calls.map(Self.lines) ?? [])
        case .lost(let count): ["the next \(count) events were lost while logging"]
        }
    }

    private static let column = 14

    private static func lines(_ calls: [CallSummary]) -> [String] {
        calls.isEmpty ? [indented("= no call")] : calls.map { indented("= \($0.words)") }
    }

    private static func padded(_ text: String) -> String {
        String(repeating: " ", count: max(0, column - text.count)) + text
    }

    private static func indented(_ text: String) -> String { padded("") + "    " + clean(text) }
}

extension Replay.Verdict {
    /// One line, or two if the file ends in the middle of a line.
    public var lines: [String] {
        let cut = "the last line is cut off after \(cutOff) bytes; everything before it was replayed"
        return (cutOff == 0 ? [] : [cut]) + ["\(events) events, \(effects) effects, identical"]
    }
}
