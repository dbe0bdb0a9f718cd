import Base
import Panel
import PhoneCore

/// Learns the keys of a matrix. The person names its lines first, because finding keys means driving them.
extension BoardLearning {
    /// The time between two scans of the matrix.
    private static let pause = Duration.milliseconds(5)
    /// Eight rows and eight columns.
    private static let mostLines = 16
    /// The usual order of keys on telephones.
    private static let order = "123A456B789C*0#D"

    /// Releases the watched lines while it learns, then opens them again.
    mutating func learnMatrix() throws {
        guard let lines = try matrixLines() else { return }
        backend.close()
        let probe = MatrixProbe(lines, of: board.chip, bias: board.bias, backend: backend)
        var matrix = LearntMatrix()
        for key in Self.order {
            guard try learn(String(key), in: &matrix, probe) else { break }
        }
        while true {
            let name = try person.ask("Name of another key of the matrix, such as hold or redial. Enter: no more.")
            guard !isEnd(name) else { break }
            guard try mayBe({ $0.buttons.append((name, Self.placeholder)) }) else { continue }
            guard try learn(name, in: &matrix, probe) else { break }
        }
        try watch()
    }

    /// Nil: there is no matrix, or the person refuses to have its lines driven.
    private func matrixLines() throws -> [GPIOLine]? {
        while true {
            let typed = try person.ask(
                "Lines of the matrix: names, numbers, ranges such as 5-11. Enter: no matrix.")
            guard !isEnd(typed) else { return nil }
            let lines: [GPIOLine]
            do throws(LineChoice.Refusal) {
                lines = try choice.inputs(typed)
            } catch {
                try person.say("  \(error)")
                continue
            }
            let user = board.users.first { user in lines.contains { choice.selector($0) == user.line } }
            if let user {
                try person.say("  line \(user.line) is already used: \(user.part)")
            } else if lines.count > Self.mostLines {
                try person.say("  a matrix has at most \(Self.mostLines) lines")
            } else if try mayBeDriven(lines) {
                return lines
            }
        }
    }

    private func mayBeDriven(_ lines: [GPIOLine]) throws -> Bool {
        let level = MatrixProbe.polarity(board.bias) == .activeLow ? "low" : "high"
        let list = lines.map { "\(choice.selector($0))" }.joined(separator: ", ")
        let question =
            "To find keys, the phone drives each of these lines \(level) for a moment, one after the other: \(list). "
            + "Is only a keypad connected to them?"
        return try person.confirm(question, usual: false)
    }

    /// - Returns: Whether more keys may come.
    private mutating func learn(_ name: String, in matrix: inout LearntMatrix, _ probe: MatrixProbe) throws -> Bool {
        try person.say("Press \(name) for a moment.")
        var last: Set<LearntMatrix.Crossing> = []
        var pressed: Set<LearntMatrix.Crossing> = []
        while true {
            let seen = try probe.crossings { try person.pause(for: $0) }
            // Two equal scans are no bounce. The key counts when all keys are released.
            if !seen.isEmpty, seen == last { pressed = seen }
            last = seen
            if seen.isEmpty, !pressed.isEmpty {
                guard let problem = take(name, pressed, into: &matrix) else {
                    try person.say("  found key \(name)")
                    return true
                }
                try person.say("  \(problem). Please try again.")
                pressed = []
            }
            switch try person.typed(within: Self.pause) {
            case nil: break
            case "done": return false
            default: return true
            }
        }
    }

    /// Adds a key. Returns the reason if it cannot.
    private mutating func take(
        _ name: String, _ pressed: Set<LearntMatrix.Crossing>, into matrix: inout LearntMatrix
    ) -> String? {
        guard let crossing = pressed.first, pressed.count == 1 else { return "several keys were pressed together" }
        var (grown, changed) = (matrix, board)
        do throws(LearntMatrix.Refusal) { try grown.add(name, crossing) } catch { return "\(error)" }
        changed.keypad = keypad(grown)
        if let problem = changed.problem { return "\(problem)" }
        (matrix, board) = (grown, changed)
        return nil
    }

    private func keypad(_ matrix: LearntMatrix) -> LearntBoard.Keypad {
        let table = matrix.table
        let selector = { (offset: UInt32) in
            choice.lines.first { $0.offset == offset }.map { choice.selector($0) } ?? .offset(offset)
        }
        return LearntBoard.Keypad(
            rows: table.rows.map(selector), columns: table.columns.map(selector),
            polarity: MatrixProbe.polarity(board.bias), keys: table.keys)
    }
}
