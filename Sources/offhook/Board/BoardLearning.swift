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
