import Base
import Commands
import Panel
import Platform

extension BoardCommand {
    struct Learn {
        static var command: Command {
            Command(
                "learn", "Ask you to move each contact in turn, and write a board file.",
                discussion: """
                    Opens free lines of a chip as inputs, and finds hook, keys and other contacts with their polarity \
                    and debounce. Drives only the lines of a key matrix, and only after a yes. Lamps, bell and relays \
                    are typed in; add a dial to the file by hand. Shows the file and asks before writing it; a \
                    replaced file is kept as `.bak`. Skips lines in use, for example by a running phone.
                    """, example: "offhook board learn --lines 5-27", BoardFile.input("The board file to write."),
                Parameter.option("chip", "Label or path of the chip. Default: the only chip, otherwise a question."),
                Parameter.option(
                    "lines",
                    "Lines to watch: names, numbers or ranges such as 5-27, separated by commas. Default: a question."),
                Parameter.option(
                    "bias", "Bias of the lines, which holds their level while a contact is open.",
                    .choice(LineSpec.Bias.self)
                ).usual(.pullUp)
            ) { try Learn(file: $0, chip: $1, lines: $2, bias: $3).run() }
        }

        let file: String
        let chip: String?
        let lines: String?
        let bias: LineSpec.Bias

        private func run() throws {
            let person = try BoardTerminal(needsPerson: true)
            let before = try FileChange.text(of: file)
            let chip = try chosenChip(person)
            let choice = LineChoice(chip.lines())
            let chosen = try chosenLines(choice, person)
            var learning = BoardLearning(
                chip: chip.nameInFile, lines: chosen, of: choice, bias: bias, backend: GPIODBackend(), person: person,
                now: MonotonicClock.now)
            let learnt = try learning.run()
            guard !learnt.isEmpty else { throw CommandError("nothing was learnt, so no file is written") }
            try offer(learnt, before, person)
        }

        private func offer(_ learnt: LearntBoard, _ before: String?, _ person: BoardTerminal) throws {
            // Validate: the offered file must be readable by the phone.
            _ = try learnt.board(file: file)
            let change = FileChange(path: file, before: before, after: learnt.text)
            try person.say("\nThe file would be:")
            print(change.diff.map(\.withoutCommands).joined(separator: "\n"))
            guard try person.confirm("Write it?", usual: true) else { throw CommandError("nothing was written") }
            for line in try Uninterrupted.run({ try change.write() }) { print(line) }
            print("Next: offhook board watch \(file), and offhook board test \(file)")
            try StandardOutput.flush()
        }

        private func chosenChip(_ person: BoardTerminal) throws -> GPIOChip {
            let all = GPIOChip.all()
            let usable = all.filter { $0.problem == nil }
            if let chip { return try Self.chip(chip, among: usable) }
            guard let first = usable.first else {
                let reasons = all.map { "\($0.path): \($0.problem ?? "")" }.joined(separator: ", ")
                throw CommandError(
                    all.isEmpty ? "this machine has no GPIO chip" : "no GPIO chip can be used: \(reasons)")
            }
            guard usable.count > 1 else { return first }
            for chip in usable { try person.say("  \(chip.path)  \"\(chip.label)\"") }
            return try Self.chip(person.ask("Which chip? Its path or its label.", usual: first.path), among: usable)
        }

        private static func chip(_ name: String, among usable: [GPIOChip]) throws(CommandError) -> GPIOChip {
            let matches = usable.filter { $0.path == name || $0.label == name }
            guard let chip = matches.first else {
                throw CommandError("there is no usable chip \"\(name)\"; `offhook board list` shows all")
            }
            guard matches.count == 1 else {
                let paths = matches.map(\.path).joined(separator: ", ")
                throw CommandError("several chips have the label \"\(name)\"; give the path of one: \(paths)")
            }
            return chip
        }

        private func chosenLines(_ choice: LineChoice, _ person: BoardTerminal) throws -> [GPIOLine] {
            if let lines { return try choice.inputs(lines) }
            let usual = choice.usual
            let taken = choice.taken.map { "\(choice.selector($0)) (\($0.consumer ?? ""))" }
            if !taken.isEmpty { try person.say("In use, so skipped: \(taken.joined(separator: ", "))") }
            guard !usual.isEmpty else { throw CommandError("all lines of the chip are in use") }
            try person.say("These lines would become inputs, with the bias \(bias.rawValue):")
            try person.say("  " + usual.map { "\(choice.selector($0))" }.joined(separator: ", "))
            while true {
                let typed = try person.ask(
                    "Exclude lines that other hardware needs, such as a sound card, a display or a bus, even if the "
                        + "kernel shows them as free. Enter: use these. Or type "
                        + "lines: names, numbers, ranges such as 5-27."
                )
                if typed.isEmpty { return usual }
                do throws(LineChoice.Refusal) { return try choice.inputs(typed) } catch { try person.say("  \(error)") }
            }
        }
    }
}

/// The board file of a command without an argument.
enum BoardFile {
    static func input(_ help: String) -> Input<String> {
        Parameter.optionalArgument("file", help, .file(ending: "yaml")).usual("/etc/offhook/board.yaml")
    }
}

extension GPIOChip {
    /// The chip's label, which stays the same with other kernels. Its path if the label is missing or not unique.
    fileprivate var nameInFile: String {
        let isFit = (1...31).contains(label.utf8.count) && !label.hasPrefix("/")
        return isFit && GPIOChip.all().count { $0.label == label } == 1 ? label : path
    }
}
