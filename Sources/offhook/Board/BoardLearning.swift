import Base
import Panel
import PhoneCore
import YAML

/// Asks a person to move each contact of a telephone in turn, and finds its line on a chip. Drives only the lines of a
/// matrix, with consent. Lamps, bell and relays are typed and not tried.
package struct BoardLearning {
    /// A person's reaction to a question for a contact.
    enum Answer {
        case contact(LearntBoard.Contact)
        /// The telephone does not have the part.
        case none
        /// The telephone has no more parts of this kind.
        case done
    }

    /// How long to listen before the first question.
    private static let listening = Duration.seconds(1)
    /// More changes than this, while nobody touches the telephone, mean that the line floats.
    private static let mostTwitches = 2
    /// The longest wait before typed input is noticed.
    private static let look = Duration.milliseconds(50)

    let choice: LineChoice
    let person: any BoardPerson
    private let lines: [GPIOLine]
    let backend: any PanelBackend
    private let now: () -> Instant
    var board: LearntBoard
    private var restless: Set<Int> = []

    /// - Parameters:
    ///   - chip: The chip's label or path, as the file will name it.
    ///   - lines: The lines to watch, from the choice.
    package init(
        chip: String, lines: [GPIOLine], of choice: LineChoice, bias: LineSpec.Bias, backend: any PanelBackend,
        person: any BoardPerson, now: @escaping () -> Instant
    ) {
        (self.choice, self.person, self.lines, self.backend) = (choice, person, lines, backend)
        self.now = now
        board = LearntBoard(chip: chip, bias: bias)
    }

    /// Opens the lines, asks, and releases the lines.
    package mutating func run() throws -> LearntBoard {
        try watch()
        defer { backend.close() }
        try listen()
        try person.say(
            "If the telephone lacks a part, type s or press Enter. To end a kind of parts, type done.")
        if case .contact(let hook) = try find("Lift the handset, then put it back.", least: .milliseconds(20)) {
            board.hook = hook
        }
        try learnDigits()
        try learnKeys()
        try learnInputs()
        try learnOutputs()
        board.name = try named("Name of the board?", usual: board.name)
        return board
    }

    func watch() throws(PanelError) {
        try backend.open(LineRequest.watching(lines, of: board.chip, bias: board.bias))
    }

    /// Excludes lines that change while nobody touches the telephone.
    private mutating func listen() throws {
        _ = try person.ask("Put the handset back, close lids and doors, and touch nothing. Then press Enter.")
        _ = try backend.wait(until: now())
        let end = now() + Self.listening
        var twitches: [Int: Int] = [:]
        while now() < end {
            for edge in try backend.wait(until: end) { twitches[edge.line, default: 0] += 1 }
        }
        for (line, count) in twitches.sorted(by: { $0.key < $1.key }) where count > Self.mostTwitches {
            try leaveOut(line)
        }
    }

    private mutating func leaveOut(_ line: Int) throws {
        restless.insert(line)
        try person.say("Line \(words(line)) changes although nobody touches it: it floats. It is skipped.")
        guard restless.count < lines.count else {
            throw CommandError("all lines float; try another --bias")
        }
    }

    private func words(_ line: Int) -> String { "\(choice.selector(lines[line]))" }
}

// MARK: One contact

extension BoardLearning {
    /// Asks until the person moves one contact that belongs to no other part.
    /// - Parameter least: The shortest debounce to write.
    mutating func find(_ question: String, least: Duration) throws -> Answer {
        var press = try pressed(question)
        while true {
            let edges = try backend.wait(until: now() + Self.look)
            switch press.looked(edges: edges.filter { !restless.contains($0.line) }, levels: try levels(), at: now()) {
            case .waiting: break
            case .found(let found):
                let contact = LearntBoard.Contact(
                    line: choice.selector(lines[found.line]), polarity: found.polarity,
                    debounce: found.debounce(atLeast: least))
                guard let user = board.users.first(where: { $0.line == contact.line }) else {
                    try person.say("  \(words(found, contact))")
                    return .contact(contact)
                }
                press = try pressed("  This line is already used: \(user.part). Please try again.")
            case .several(let several):
                let list = several.map(words).joined(separator: ", ")
                press = try pressed("  Several lines changed together: \(list). Please move only this part.")
            case .restless(let line):
                try leaveOut(line)
                press = try pressed(question)
            }
            switch try person.typed(within: .zero)?.lowercased() {
            case nil: break
            case "", "s", "skip": return .none
            case "done": return .done
            default: try person.say("  Enter or s: the part does not exist. done: no more of this kind.")
            }
        }
    }

    private func pressed(_ question: String) throws -> ContactPress {
        try person.say(question)
        return ContactPress(levels: try levels())
    }

    private func levels() throws(PanelError) -> [Int: Bool] {
        var levels: [Int: Bool] = [:]
        for line in lines.indices where !restless.contains(line) { levels[line] = try backend.isActive(line) }
        return levels
    }

    private func words(_ found: LearntContact, _ contact: LearntBoard.Contact) -> String {
        let microseconds = found.bounce.nanoseconds / 1_000
        let bounces = microseconds == 0 ? "no bounce" : "bounces for \(microseconds) µs"
        let worn = found.bounce * 2 > LearntContact.longestDebounce ? "; the contact is worn" : ""
        return "line \(contact.line), \(contact.polarity.rawValue), \(found.edges) changes of level, \(bounces): "
            + "debounce \(contact.debounce.nanoseconds / 1_000_000) ms\(worn)"
    }
}

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
