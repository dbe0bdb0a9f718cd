import ArgumentParser
import Glibc
import Panel
import YAML

/// Works with a board's hardware without a phone: lists lines, checks board files, tries parts.
struct BoardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board",
        abstract: "List this machine's GPIO lines, write a board file for them, and try it.",
        subcommands: [
            List.self, Check.self, Watch.self, Learn.self, Test.self, Latency.self, Reset.self, Rules.self,
        ])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the machine's GPIO chips and lines, and the programs that use them.")

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
            commandName: "check", abstract: "Read a board file, and open all its lines once, as the phone does.",
            discussion: "First stop a phone that uses these lines. Outputs are inactive during the check.")

        @Argument(help: "The board file.", completion: .file(extensions: ["yaml"])) var file: String

        func run() throws {
            let board = try Board.load(path: file)
            try board.tryLines()
            print("\(board.name): \(board.panel.backend == .gpiod ? "all lines can be used" : "a simulated panel")")
        }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Switch off all outputs of the last used and of the configured board.",
            discussion: """
                The service runs this whenever its phone has ended: a killed phone could not, and some kernels leave a \
                released line at its last level. Each line is switched off on its own, relays first. From the \
                configuration only `board` is read. Lines that a running phone uses are not switched off.
                """)

        @OptionGroup var phone: ConfigurationOption

        func run() throws {
            let remarks = TextOutput(descriptor: STDERR_FILENO)
            let boards = boards(remarks)
            guard !boards.isEmpty else {
                throw CommandError("no board file could be read, so nothing was switched off")
            }
            let failures = boards.flatMap { $0.switchOff() }
            for failure in failures { remarks.write("\(failure)") }
            if !failures.isEmpty { throw CommandError("\(failures.count) lines could not be switched off") }
        }

        /// The board with which the phone last ran, then the configured board if it is another.
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
            abstract: "Print udev rules that give the service access to its phone's devices and no others.",
            discussion: """
                The rules name the sound cards, GPIO chips and I2C buses that the configuration uses. The service \
                applies them at each start.
                """)

        @OptionGroup var phone: ConfigurationOption
        @Flag(help: "Apply the rules until the machine is switched off (as root), instead of printing them.")
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
            commandName: "watch", abstract: "Show events of hook, keys, dial and inputs, until interrupted.",
            discussion: """
                Each line has the time in seconds, and the number of level changes that the event took: all after the \
                first are bounces. A table at the end shows the figures of each contact, except keys of a matrix. \
                First stop a phone that uses these lines.
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
