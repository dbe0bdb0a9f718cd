import Base
import Panel
import PhoneCore

/// Learns the parts that a telephone may have, one kind after the other.
extension BoardLearning {
    private static let leastForKeys = Duration.milliseconds(5)
    private static let leastForInputs = Duration.milliseconds(20)

    mutating func learnDigits() throws {
        let kind = try person.choose(
            "Are there digit keys, with one line each or in a matrix of rows and "
                + "columns? Add a dial to the file by hand.",
            usual: "no", ["no", "lines", "matrix"])
        if kind == "matrix" { try learnMatrix() }
        guard kind == "lines" else { return }
        for digit in "1234567890*#" {
            switch try find("Press and release \(digit).", least: Self.leastForKeys) {
            case .contact(let contact): board.buttons.append((String(digit), contact))
            case .none: break
            case .done: return
            }
        }
    }

    mutating func learnKeys() throws {
        while board.buttons.count < Key.names.count {
            let name = try person.ask("Name of another key, such as hold, mute or redial. Enter: no more.")
            guard !isEnd(name) else { return }
            guard try mayBe({ $0.buttons.append((name, Self.placeholder)) }) else { continue }
            if case .contact(let contact) = try find("Press and release \(name).", least: Self.leastForKeys) {
                board.buttons.append((name, contact))
            }
        }
    }

    mutating func learnInputs() throws {
        while true {
            let name = try person.ask(
                "Name of an input that is no key, such as tamper or door-open. Enter: no more.")
            guard !isEnd(name) else { return }
            guard try mayBe({ $0.inputs.append((name, Self.placeholder)) }) else { continue }
            if case .contact(let contact) = try find(
                "Make \(name) active, then inactive again.", least: Self.leastForInputs)
            {
                board.inputs.append((name, contact))
            }
        }
    }

    /// Accepts typed outputs without trying them, because a relay may open a door.
    mutating func learnOutputs() throws {
        try person.say(
            "Type lamps, bell and relays: the name or number of the line, then active-low if the output is on at a low "
                + "level. This does not switch anything; `offhook board test` does.")
        while true {
            let typed = try person.ask("Name and line of a lamp, such as ringing GPIO23. Enter: no more.")
            guard !isEnd(typed) else { break }
            let (name, rest) = Self.firstWord(of: typed)
            guard try mayBe({ $0.lamps.append((name, Self.placeholderOutput)) }) else { continue }
            if let output = try output(rest) { board.lamps.append((name, output)) }
        }
        while board.bell == nil {
            let typed = try person.ask("Line of the bell. Enter: no bell.")
            guard !isEnd(typed) else { break }
            board.bell = try output(typed)
        }
        while true {
            let typed = try person.ask("Line of relay \(board.relays.count + 1). Enter: no more.")
            guard !isEnd(typed) else { return }
            guard try mayBe({ $0.relays.append(Self.placeholderOutput) }) else { continue }
            if let output = try output(typed) { board.relays.append(output) }
        }
    }

    func named(_ question: String, usual: String) throws -> String {
        while true {
            let name = try person.ask(question, usual: usual)
            if try mayBe({ $0.name = name }) { return name }
        }
    }

    // MARK: Answers

    /// A line number that no board has, in place of a line that is not yet known.
    static let placeholder = LearntBoard.Contact(
        line: .offset(.max), polarity: .activeHigh, debounce: leastForKeys)
    private static let placeholderOutput = LearntBoard.Output(line: .offset(.max), polarity: .activeHigh)

    func isEnd(_ typed: String) -> Bool { ["", "s", "skip", "done"].contains(typed) }

    /// Whether the file would be valid with this change. Otherwise tells the person why not.
    func mayBe(_ change: (inout LearntBoard) -> Void) throws -> Bool {
        var changed = board
        change(&changed)
        guard let problem = changed.problem else { return true }
        try person.say("  \(problem)")
        return false
    }

    /// Parses an output. Nil if the line cannot be used; the person gets the reason.
    private func output(_ typed: String) throws -> LearntBoard.Output? {
        let (word, rest) = Self.firstWord(of: typed)
        guard let polarity = rest.isEmpty ? .activeHigh : LineSpec.Polarity(rawValue: rest) else {
            try person.say("  After the line, type active-high, active-low or nothing.")
            return nil
        }
        let line: LineSelector
        do throws(LineChoice.Refusal) {
            line = choice.selector(try choice.output(word))
        } catch {
            try person.say("  \(error)")
            return nil
        }
        guard let user = board.users.first(where: { $0.line == line }) else {
            return LearntBoard.Output(line: line, polarity: polarity)
        }
        try person.say("  line \(line) is already used: \(user.part)")
        return nil
    }

    private static func firstWord(of text: String) -> (word: String, rest: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        return (words.first ?? "", words.count > 1 ? words[1] : "")
    }
}
