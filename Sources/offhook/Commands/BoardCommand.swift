import ArgumentParser
import Glibc
import Panel
import YAML

/// The hardware of a board, without a phone: what is there, which board file fits, and what its parts do.
struct BoardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board",
        abstract: "Look at the GPIO lines of this machine, write a board file, and try it on them.",
        subcommands: [
            List.self, Check.self, Watch.self, Learn.self, Test.self, Latency.self, Reset.self, Rules.self,
        ])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "The machine's GPIO chips and lines, and who holds them.")

        func run() throws {
            let chips = GPIOChip.all()
            if chips.isEmpty { print("This machine has no GPIO chip.") }
            for chip in chips {
                print("\(chip.path)  \(chip.problem ?? "\"\(chip.label)\"")")
                for line in chip.lines() { print("  \(Self.words(line))") }
            }
        }

        private static func words(_ line: GPIOLine) -> String {
            let name = line.name.isEmpty ? "without a name" : "\"\(line.name)\""
            let user = line.consumer.map { $0.isEmpty ? ", in use" : ", in use by \"\($0)\"" } ?? ""
            return "\(line.offset)  \(name), \(line.isOutput ? "output" : "input")\(user)"
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Read a board file, and take all its lines once, as the phone does.",
            discussion: "A phone that runs on these lines has them. Outputs are inactive meanwhile.")

        @Argument(help: "The board file.", completion: .file(extensions: ["yaml"])) var file: String

        func run() throws {
            let board = try Board.load(path: file)
            try board.tryLines()
            print("\(board.name): \(board.panel.backend == .gpiod ? "all its lines are here" : "a simulated panel")")
        }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Switch off all outputs of the board with which the phone ran last, and of the configured one.",
            discussion: """
                The service does so whenever its phone has ended: one that was killed could not, and some kernels leave a line \
                that nobody has as it was. Each line is switched off by itself, relays first. Of the configuration only `board` \
                is read. A phone that runs on these lines has them.
                """)

        @OptionGroup var phone: ConfigurationOption

        func run() throws {
            let remarks = TextOutput(descriptor: STDERR_FILENO)
            let boards = boards(remarks)
            guard !boards.isEmpty else { throw CommandError("no board file can be read: nothing was switched off") }
            let failures = boards.flatMap { $0.switchOff() }
            for failure in failures { remarks.write("\(failure)") }
            if !failures.isEmpty { throw CommandError("\(failures.count) lines could not be switched off") }
        }

        /// The board with which the phone ran last, then the configured one if it is another.
        private func boards(_ remarks: TextOutput) -> [Board] {
            var reference: BoardReference?
            do throws(YAMLError) {
                reference = try BoardReference(configuration: phone.config)
            } catch {
                remarks.write("\(error)")
            }
            let last = BoardMemory.places(vaultFile: reference?.vaultFile).first { unsafe access($0, F_OK) == 0 }
            return [last, reference?.board].compactMap { $0 }.reduce(into: []) { boards, path in
                do throws(YAMLError) {
                    let board = try Board.load(path: path)
                    if !boards.contains(board) { boards.append(board) }
                } catch {
                    remarks.write("\(error)")
                }
            }
        }
    }

    struct Rules: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rules",
            abstract: "The udev rules that give the service the devices of its phone, and no others.",
            discussion: """
                Of the sound cards, GPIO chips and I2C buses of this machine those that the configuration names. The service \
                has them applied whenever it starts.
                """)

        @OptionGroup var phone: ConfigurationOption
        @Flag(help: "Have udev follow them until the machine is switched off, as root, instead of printing them.")
        var apply = false

        func run() throws {
            if apply { try DeviceRules.requireRoots(phone.config) }
            let settings = try phone.load()
            if apply { try DeviceRules.requireRoots(settings.boardFile) }
            let rules = try DeviceRules(settings)
            let remarks = TextOutput(descriptor: STDERR_FILENO)
            for note in rules.notes { remarks.write(note) }
            apply ? try rules.apply() : print(rules.text, terminator: "")
        }
    }

    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch", abstract: "Show what hook, keys, dial and inputs do, until interrupted.",
            discussion: """
                With the time in seconds, and how many changes of level each event took: those beyond the first are bounces. \
                At the end a table tells what each contact did; keys of a matrix have no figures. \
                A phone that runs on these lines has them.
                """)

        @Argument(help: "The board file.", completion: .file(extensions: ["yaml"])) var file: String

        func run() throws {
            let board = try Board.load(path: file)
            guard board.panel.backend == .gpiod else { throw CommandError("\(file): a simulated panel has no lines") }
            try board.tryLines()
            let signals = TerminationSignals.block()
            let watch = ContactWatch(board)
            let backend = TimedBackend(GPIODBackend()) { edges, _ in watch.moved(edges) }
            let panel = Panel(board: board, backend: backend) { watch.tell($0) }
            try panel.start()
            _ = signals.wait()
            panel.close()
            try watch.summarise()
        }
    }
}
